// Distances from P and W, as computed by `geodome query --near blend`: K ≈ P W Pᵀ with the same near-field
// correction (src/geodome/matrix/near_field.h) in the same double precision.
import { CellWeights } from "./cell_weights.js";
import { add_predictions, triangle_begins } from "./landmark_distances.js";
import { SparseWeights } from "./sparse_weights.js";

// In landmark spacings: below the first only the squared form counts, above the second only the linear one.
const blend_begin = 0.7, blend_end = 1.3;

export class Matrix {
  // `matrix` as the page holds it; `bound` as lower_bound.js makes it.
  constructor(matrix, bound) {
    this.P = matrix.P === undefined ? new CellWeights(matrix) : new SparseWeights(matrix);
    this.size = this.P.size;
    this.step = matrix.step;
    this.spacing = matrix.spacing;
    this.first = matrix.component_first;
    this.W = matrix.P === undefined ? add_predictions(matrix.W, this.first) : matrix.W;
    this.W_begin = triangle_begins(this.first);
    this.landmarks = matrix.landmark;
    this.bound = bound;
    // Room for two rows of P and their difference.
    this.from = this.make_row(this.P.longest);
    this.to = this.make_row(this.P.longest);
    this.difference = this.make_row(2 * this.P.longest);
  }

  get form() {
    return "near-field";
  }

  make_row(longest) {
    return { count: 0, scale: 1, column: new Int32Array(longest), value: new Float64Array(longest) };
  }

  // Row i of P. Rows of a thresholded P may miss sum one: `scale` mends that.
  read_row(i, row) {
    row.count = this.P.read(i, row.column, row.value);
    let sum = 0;
    for (let k = 0; k < row.count; ++k) sum += row.value[k];
    row.scale = sum > 0.5 ? 1 / sum : 1;
  }

  component(vertex) {
    return this.P.component(vertex);
  }

  // W times a row of P of component c: for every landmark, zero for those of other components.
  landmark_distances({ count: entries, column, value }, c) {
    const z = new Float64Array(this.landmarks.length);
    const { W } = this;
    const first = this.first[c], count = this.first[c + 1] - first, base = this.W_begin[c];
    const step = this.step.length > 0 ? this.step[c] : 1;
    for (let k = 0; k < entries; ++k) {
      const own = column[k] - first, w = value[k];
      const row = base + (own * (own + 1)) / 2;
      for (let r = 0; r <= own; ++r) z[first + r] += w * W[row + r];
      for (let r = own + 1, at = base + (r * (r + 1)) / 2 + own; r < count; ++r, at += r) z[first + r] += w * W[at];
    }
    if (step !== 1) for (let r = 0; r < count; ++r) z[first + r] *= step;
    return z;
  }

  // Whether P tells the two vertices apart that were read.
  same_row() {
    const { from, to } = this;
    if (from.count !== to.count) return false;
    for (let k = 0; k < from.count; ++k)
      if (from.column[k] !== to.column[k] || from.value[k] !== to.value[k]) return false;
    return true;
  }

  // The difference of the two rows of P that were read, each scaled to sum one; landmarks counted from `first`.
  subtract_rows(first) {
    const { from, to, difference } = this;
    let size = 0;
    for (let a = 0, b = 0; a < from.count || b < to.count; ++size) {
      const ca = a < from.count ? from.column[a] : Infinity, cb = b < to.count ? to.column[b] : Infinity;
      difference.column[size] = (ca < cb ? ca : cb) - first;
      let delta = 0;
      if (ca <= cb) delta += from.scale * from.value[a++];
      if (cb <= ca) delta -= to.scale * to.value[b++];
      difference.value[size] = delta;
    }
    difference.count = size;
  }

  // sqrt(-½ δ W₂ δᵀ), δ the difference of the two rows that were read, of component c.
  near_distance(c) {
    this.subtract_rows(this.first[c]);
    const { W, difference: { count, column: at, value } } = this;
    const base = this.W_begin[c], step = this.step.length > 0 ? this.step[c] : 1;
    let total = 0;
    for (let r = 0; r < count; ++r) {
      const row = base + (at[r] * (at[r] + 1)) / 2;
      let left = 0;
      for (let s = 0; s < r; ++s) {
        const w = W[row + at[s]];
        left += value[s] * w * w;
      }
      const own = W[row + at[r]];
      total += value[r] * (2 * left + value[r] * own * own);
    }
    return Math.sqrt(Math.max(0, (-total * step * step) / 2));
  }

  // The distance of vertices i, which was read, and j, where P W Pᵀ is `raw`.
  correct(raw, i, j, c) {
    if (i === j) return 0;
    const bound = this.bound(i, j), spacing = this.spacing[c];
    let distance = raw;
    if (raw < blend_end * spacing) {
      this.read_row(j, this.to);
      let near = this.near_distance(c);
      if (bound <= 0 && !this.bound.chord && this.same_row()) near = raw;
      if (this.bound.chord && near > bound)
        near = bound + (near - bound) * Math.min(1, near / (blend_begin * spacing));
      const share = Math.min(1, Math.max(0, (raw / spacing - blend_begin) / (blend_end - blend_begin)));
      distance = share * raw + (1 - share) * near;
    }
    return Math.max(distance, bound, 0);
  }

  // From vertex i to the vertices `to`, or to all: Float64Array, infinite where no path leads.
  row(i, to) {
    const count = to === undefined ? this.size : to.length;
    const result = new Float64Array(count);
    const c = this.component(i);
    if (c >= 0) this.read_row(i, this.from);
    const raw = c >= 0 ? this.P.product(this.landmark_distances(this.from, c)) : undefined;
    for (let k = 0; k < count; ++k) {
      const j = to === undefined ? k : to[k];
      if (c < 0 || this.component(j) !== c) result[k] = i === j ? 0 : Infinity;
      else result[k] = this.correct(raw(j), i, j, c);
    }
    return result;
  }

  // P times three numbers for each landmark: three numbers for each vertex.
  combinations(numbers) {
    const result = new Float64Array(3 * this.size);
    for (let axis = 0; axis < 3; ++axis) {
      const product = this.P.product(Float64Array.from(this.landmarks, (_, k) => numbers[3 * k + axis]));
      for (let v = 0; v < this.size; ++v) result[3 * v + axis] = product(v);
    }
    return result;
  }

  distance(i, j) {
    return this.row(i, [j])[0];
  }

  // The landmark a vertex draws on most (its place among the landmarks), or -1.
  nearest_landmark(vertex) {
    const { to } = this;
    this.read_row(vertex, to);
    let best = -1, most = -Infinity;
    for (let k = 0; k < to.count; ++k)
      if (to.value[k] > most) {
        most = to.value[k];
        best = to.column[k];
      }
    return best;
  }
}
