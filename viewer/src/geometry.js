// What is drawn of one shape, as arrays: places on the shape and in its canonical form, centred, with normals.

// The middle of the bounding box.
function centre_of(points) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < points.length; k += 3)
    for (let axis = 0; axis < 3; ++axis) {
      const x = points[k + axis];
      if (x < low[axis]) low[axis] = x;
      if (x > high[axis]) high[axis] = x;
    }
  return low.map((x, axis) => (x + high[axis]) / 2);
}

function centred(points) {
  const centre = centre_of(points);
  const result = new Float32Array(points.length);
  for (let k = 0; k < points.length; k += 3)
    for (let axis = 0; axis < 3; ++axis) result[k + axis] = points[k + axis] - centre[axis];
  return result;
}

export function radius_of(points) {
  let most = 0;
  for (let k = 0; k < points.length; k += 3)
    most = Math.max(most, points[k] ** 2 + points[k + 1] ** 2 + points[k + 2] ** 2);
  return Math.sqrt(most);
}

// By the areas of faces: fast, and good enough to look at. Four bytes each: all that normals need, and what graphics
// cards like.
export function vertex_normals(points, triangles) {
  const sums = new Float32Array(points.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    for (const at of [a, b, c]) {
      sums[at] += x;
      sums[at + 1] += y;
      sums[at + 2] += z;
    }
  }
  const normals = new Int8Array((points.length / 3) * 4);
  for (let k = 0, at = 0; k < sums.length; k += 3, at += 4) {
    const length = Math.hypot(sums[k], sums[k + 1], sums[k + 2]);
    if (length > 0) for (let axis = 0; axis < 3; ++axis) normals[at + axis] = Math.round((127 * sums[k + axis]) / length);
  }
  return normals;
}

function in_one_component(drawn_count, vertex_of, component) {
  for (let d = 1; d < drawn_count; ++d) if (component(vertex_of(d)) !== component(vertex_of(0))) return false;
  return true;
}

// The canonical form of the drawn vertices, turned to look as the shape does. Components, which are laid out each
// by itself, go where they are on the shape, or side by side where that has no place in space.
function drawn_form(shape, points, drawn_count, vertex_of, component) {
  const { form, turn } = shape;
  const result = new Float32Array(3 * drawn_count);
  for (let d = 0; d < drawn_count; ++d) {
    const v = 3 * vertex_of(d);
    for (let axis = 0; axis < 3; ++axis)
      result[3 * d + axis] = form[v] * turn[3 * axis] + form[v + 1] * turn[3 * axis + 1] + form[v + 2] * turn[3 * axis + 2];
  }
  if (in_one_component(drawn_count, vertex_of, component)) return result;
  const parts = new Map();
  for (let d = 0; d < drawn_count; ++d) {
    const c = component(vertex_of(d));
    if (!parts.has(c)) parts.set(c, { count: 0, shift: [0, 0, 0], low: Infinity, high: -Infinity });
    const part = parts.get(c);
    ++part.count;
    if (points) for (let axis = 0; axis < 3; ++axis) part.shift[axis] += points[3 * d + axis];
    part.low = Math.min(part.low, result[3 * d]);
    part.high = Math.max(part.high, result[3 * d]);
  }
  let edge = 0;
  for (const part of parts.values()) {
    if (points) part.shift = part.shift.map((x) => x / part.count);
    else part.shift[0] = edge - part.low;
    edge += 1.1 * (part.high - part.low);
  }
  for (let d = 0; d < drawn_count; ++d)
    for (let axis = 0; axis < 3; ++axis) result[3 * d + axis] += parts.get(component(vertex_of(d))).shift[axis];
  return result;
}

// Triangles come with their lowest corner first: its step from the triangle before, and how far the others are above it.
function corners_of(steps) {
  const result = new Uint32Array(steps.length);
  for (let t = 0, low = 0; t < steps.length; t += 3) {
    low += steps[t];
    result[t] = low;
    result[t + 1] = low + steps[t + 1];
    result[t + 2] = low + steps[t + 2];
  }
  return result;
}

// `shape` as the page holds it, `component` a function of the vertex.
export function make_geometry(shape, component) {
  const { edges, origin } = shape.drawing;
  const points = shape.drawing.points === "positions" ? shape.positions : shape.drawing.points;
  const triangles = shape.drawing.triangles && corners_of(shape.drawing.triangles);
  const drawn = origin ? origin.length : shape.form.length / 3;
  const vertex_of = origin ? (d) => origin[d] : (d) => d;
  const form = centred(drawn_form(shape, points, drawn, vertex_of, component));
  const places = points ? centred(points) : form;
  return {
    drawn,
    vertex_of,
    origin,
    has_places: points !== undefined,
    places,
    form,
    triangles,
    edges,
    place_radius: radius_of(places) || 1,
    form_radius: radius_of(form) || 1,
    place_normals: triangles ? vertex_normals(places, triangles) : undefined,
  };
}

// Places at a share of the way to the canonical form.
export function morphed(geometry, share) {
  const { places, form } = geometry;
  if (share === 0) return places;
  if (share === 1) return form;
  const result = new Float32Array(places.length);
  for (let k = 0; k < places.length; ++k) result[k] = places[k] + share * (form[k] - places[k]);
  return result;
}
