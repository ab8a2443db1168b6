// W, packed lower triangles of the components one after the other: entry (r, c), c <= r, at r (r + 1) / 2 + c.

const at = (r, c) => (r < c ? (c * (c + 1)) / 2 + r : (r * (r + 1)) / 2 + c);

// Where the triangle of each component begins.
export function triangle_begins(first) {
  const result = [0];
  for (let k = 0; k + 1 < first.length; ++k) {
    const count = first[k + 1] - first[k];
    result.push(result[k] + (count * (count + 1)) / 2);
  }
  return result;
}

// Entries were predicted from those of the landmarks `near` the two, which come before them:
//
//   W(r, c) ≈ W(near r, c) + W(r, near c) - W(near r, near c)
//
// `off` is how much they are off. Written over it.
export function add_predictions({ off, near }, first) {
  triangle_begins(first).slice(0, -1).forEach((begin, k) => {
    const W = off.subarray(begin), count = first[k + 1] - first[k], partner = near.subarray(first[k]);
    for (let r = 1; r < count; ++r)
      for (let c = 1, p = partner[r], row = at(r, 0); c <= r; ++c)
        W[row + c] += W[at(p, c)] + W[row + partner[c]] - W[at(p, partner[c])];
  });
  return off;
}
