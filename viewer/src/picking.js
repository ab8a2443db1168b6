// Which vertex is under the pointer.

// The corner, nearest to the hit, of the first triangle that a ray meets; -1 if it meets none. Plain loops over
// arrays: some milliseconds for 200,000 triangles, and no need to keep a search tree up to date while shapes morph.
export function hit_vertex(places, triangles, origin, direction) {
  const [ox, oy, oz] = origin, [dx, dy, dz] = direction;
  let nearest = Infinity, vertex = -1;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ax = places[a], ay = places[a + 1], az = places[a + 2];
    const ux = places[b] - ax, uy = places[b + 1] - ay, uz = places[b + 2] - az;
    const vx = places[c] - ax, vy = places[c + 1] - ay, vz = places[c + 2] - az;
    // [Möller and Trumbore 1997]
    const px = dy * vz - dz * vy, py = dz * vx - dx * vz, pz = dx * vy - dy * vx;
    const determinant = ux * px + uy * py + uz * pz;
    if (determinant === 0) continue;
    const inverse = 1 / determinant;
    const sx = ox - ax, sy = oy - ay, sz = oz - az;
    const u = (sx * px + sy * py + sz * pz) * inverse;
    if (u < 0 || u > 1) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const v = (dx * qx + dy * qy + dz * qz) * inverse;
    if (v < 0 || u + v > 1) continue;
    const distance = (vx * qx + vy * qy + vz * qz) * inverse;
    if (distance <= 0 || distance >= nearest) continue;
    nearest = distance;
    const w = 1 - u - v;
    vertex = triangles[t + (w >= u && w >= v ? 0 : u >= v ? 1 : 2)];
  }
  return vertex;
}

// Of points: the one in front among those whose picture is within `reach` of the pointer, in units of the screen
// (-1 to 1); -1 if there is none. `matrix` brings places to the screen (16 numbers by columns).
export function near_point(places, matrix, x, y, reach) {
  let front = Infinity, vertex = -1;
  for (let k = 0; k < places.length; k += 3) {
    const px = places[k], py = places[k + 1], pz = places[k + 2];
    const w = matrix[3] * px + matrix[7] * py + matrix[11] * pz + matrix[15];
    if (w <= 0) continue;
    const sx = (matrix[0] * px + matrix[4] * py + matrix[8] * pz + matrix[12]) / w;
    const sy = (matrix[1] * px + matrix[5] * py + matrix[9] * pz + matrix[13]) / w;
    if (Math.abs(sx - x) > reach[0] || Math.abs(sy - y) > reach[1]) continue;
    const off = Math.hypot((sx - x) / reach[0], (sy - y) / reach[1]);
    const depth = (matrix[2] * px + matrix[6] * py + matrix[10] * pz + matrix[14]) / w + 0.002 * off;
    if (off <= 1 && depth < front) {
      front = depth;
      vertex = k / 3;
    }
  }
  return vertex;
}

// The row of `points` (n by 3, some of them: `among`, or all) nearest to a place.
export function nearest_row(points, among, x, y, z) {
  let nearest = Infinity, best = -1;
  const count = among ? among.length : points.length / 3;
  for (let k = 0; k < count; ++k) {
    const row = among ? among[k] : k;
    const distance = (points[3 * row] - x) ** 2 + (points[3 * row + 1] - y) ** 2 + (points[3 * row + 2] - z) ** 2;
    if (distance < nearest) {
      nearest = distance;
      best = row;
    }
  }
  return best;
}
