// Lower bounds on distances, as src/geodome/matrix/lower_bound.h has them. Each is a function of two different
// vertices; `chord` marks those that measure straight lines.

function chord_bound(positions, dimension) {
  const bound = (i, j) => {
    let sum = 0;
    for (let k = 0, a = i * dimension, b = j * dimension; k < dimension; ++k)
      sum += (positions[a + k] - positions[b + k]) ** 2;
    return Math.sqrt(sum);
  };
  bound.chord = true;
  return bound;
}

// A path of one edge is as long as that edge; any other is at least as long as the shortest edges at its ends.
function edge_bound({ ends, lengths }) {
  const shortest = new Map(), of_pair = new Map();
  const pair = (i, j) => (i < j ? `${i} ${j}` : `${j} ${i}`);
  for (let e = 0; e < lengths.length; ++e) {
    const a = ends[2 * e], b = ends[2 * e + 1], length = lengths[e];
    if (a === b) continue;
    for (const end of [a, b]) shortest.set(end, Math.min(shortest.get(end) ?? Infinity, length));
    of_pair.set(pair(a, b), Math.min(of_pair.get(pair(a, b)) ?? Infinity, length));
  }
  return (i, j) => {
    const detour = (shortest.get(i) ?? Infinity) + (shortest.get(j) ?? Infinity);
    return Math.min(of_pair.get(pair(i, j)) ?? Infinity, detour);
  };
}

// Of a shape as the page holds it; zero where nothing is known.
export function lower_bound({ positions, dimension, graph }) {
  if (positions !== undefined) return chord_bound(positions, dimension);
  return graph !== undefined ? edge_bound(graph) : () => 0;
}
