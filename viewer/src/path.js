// The shortest path between two drawn vertices, over triangles or along edges.
//
// Distances of the page are approximate, so that a path is not found by going downhill. The vertices near it are: their
// distances to the two ends add up to little more than that between the ends. Among these a path is found along edges and
// between points on edges, and then pulled straight.

const points_per_edge = 3; // between the ends of an edge of the corridor
const spare = 0.015; // how much longer than the distance of the pair a way through a vertex of the corridor may be
const rounds = 200; // of pulling straight

// Smallest key first.
class Queue {
  constructor() {
    this.items = [];
  }
  push(key, value) {
    const { items } = this;
    let hole = items.length;
    items.push(undefined);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (items[parent][0] <= key) break;
      items[hole] = items[parent];
      hole = parent;
    }
    items[hole] = [key, value];
  }
  pop() {
    const { items } = this, top = items[0], last = items.pop();
    if (items.length === 0) return top;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1][0] < items[child][0]) ++child;
      if (items[child][0] >= last[0]) break;
      items[hole] = items[child];
      hole = child;
    }
    items[hole] = last;
    return top;
  }
}

const place = (places, { a, b, part }) =>
  [0, 1, 2].map((k) => places[3 * a + k] + part * (places[3 * b + k] - places[3 * a + k]));
const apart = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);

// Points on the edges of the triangles that `inside` lets through, and for each triangle the points around it.
function make_nodes(places, triangles, inside) {
  const nodes = [], number = new Map(), cells = [];
  const vertex = (v) => {
    if (!number.has(v)) {
      number.set(v, nodes.length);
      nodes.push({ a: v, b: v, part: 0 });
    }
    return number.get(v);
  };
  const edge = (u, v) => {
    const a = Math.min(u, v), b = Math.max(u, v), key = `${a} ${b}`;
    if (!number.has(key)) {
      number.set(key, nodes.length);
      for (let k = 1; k <= points_per_edge; ++k) nodes.push({ a, b, part: k / (points_per_edge + 1) });
    }
    return Array.from({ length: points_per_edge }, (_, k) => number.get(key) + k);
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
    if (!corners.every(inside)) continue;
    cells.push([...corners.map(vertex), ...corners.flatMap((v, k) => edge(v, corners[(k + 1) % 3]))]);
  }
  for (const node of nodes) node.at = place(places, node);
  return { nodes, cells, number };
}

// The nodes of a shortest way from one node to another, or undefined.
function shortest_way(nodes, cells, from, to) {
  const around = nodes.map(() => []);
  cells.forEach((cell, c) => cell.forEach((node) => around[node].push(c)));
  const length = new Float64Array(nodes.length).fill(Infinity), before = new Int32Array(nodes.length).fill(-1);
  const queue = new Queue();
  length[from] = 0;
  queue.push(0, from);
  while (queue.items.length > 0) {
    const [key, node] = queue.pop();
    if (node === to) break;
    if (key > length[node]) continue;
    for (const c of around[node])
      for (const next of cells[c]) {
        const through = key + apart(nodes[node].at, nodes[next].at);
        if (through >= length[next]) continue;
        length[next] = through;
        before[next] = node;
        queue.push(through, next);
      }
  }
  if (length[to] === Infinity) return undefined;
  const way = [];
  for (let node = to; node >= 0; node = before[node]) way.push({ ...nodes[node] });
  return way.reverse();
}

// Moves each point along its edge to where the way between its neighbours is shortest, again and again: both neighbours
// laid into one plane, the straight line between them crosses the edge there. Points at vertices stay.
function pull_straight(places, way) {
  for (let round = 0; round < rounds; ++round) {
    let moved = 0;
    for (let k = 1; k + 1 < way.length; ++k) {
      const point = way[k];
      if (point.a === point.b) continue;
      const foot = [], height = [];
      for (const { at } of [way[k - 1], way[k + 1]]) {
        let along = 0, edge = 0, whole = 0;
        for (let axis = 0; axis < 3; ++axis) {
          const origin = places[3 * point.a + axis];
          const u = places[3 * point.b + axis] - origin, w = at[axis] - origin;
          along += u * w;
          edge += u * u;
          whole += w * w;
        }
        foot.push(edge > 0 ? along / edge : 0);
        height.push(Math.sqrt(Math.max(0, whole - (edge > 0 ? (along * along) / edge : 0))));
      }
      const sum = height[0] + height[1];
      const part = sum > 0 ? Math.min(1, Math.max(0, (foot[0] * height[1] + foot[1] * height[0]) / sum)) : point.part;
      moved = Math.max(moved, Math.abs(part - point.part));
      point.part = part;
      point.at = place(places, point);
    }
    if (moved < 1e-3) return;
  }
}

// Points { a, b, part } between drawn vertices a and b, from one end to the other; empty where there is no path.
// `from` and `to` hold the distances of all drawn vertices to the two ends.
export function shortest_path(places, triangles, from, to, source, target) {
  if (source === target || !(from[target] < Infinity)) return [];
  const most = from[target] * (1 + spare);
  let slack = 0;
  for (let attempt = 0; attempt < 4; ++attempt) {
    const inside = (v) => from[v] + to[v] <= most + slack || v === source || v === target;
    const { nodes, cells, number } = make_nodes(places, triangles, inside);
    if (number.has(source) && number.has(target)) {
      const way = shortest_way(nodes, cells, number.get(source), number.get(target));
      if (way) {
        pull_straight(places, way);
        return way.map(({ a, b, part }) => ({ a, b, part }));
      }
    }
    slack = (slack || 0.02 * most) * 3; // a coarse mesh: the corridor has gaps
  }
  return [];
}

// `count` places spread evenly along the path, between drawn vertices.
export function along(places, path, count) {
  const at = path.map((point) => place(places, point)), ends = [0];
  for (let k = 1; k < at.length; ++k) ends.push(ends[k - 1] + apart(at[k - 1], at[k]));
  const total = ends[ends.length - 1];
  const result = [];
  for (let i = 0, k = 1; i < count; ++i) {
    const wanted = (total * i) / (count - 1);
    while (k + 1 < ends.length && ends[k] < wanted) ++k;
    const share = ends[k] > ends[k - 1] ? (wanted - ends[k - 1]) / (ends[k] - ends[k - 1]) : 0;
    result.push({ from: path[k - 1], to: path[k], share: Math.min(1, Math.max(0, share)) });
  }
  return result;
}
