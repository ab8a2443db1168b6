// Distances from P and W, as computed by `geodome query` and `geodome rows`: K ≈ P W Pᵀ with the same near-field
// correction (src/geodome/matrix/near_field.h) in the same double precision.

// In landmark spacings: below the first only the squared form counts, above the second only the linear one.
const blend_begin = 0.7, blend_end = 1.3;

export class Matrix {
  // `matrix` as the page holds it; `bound` as lower_bound.js makes it.
  constructor(matrix, bound) {
    this.begin = matrix.P.begin;
    this.column = matrix.P.column;
    this.weight = matrix.P.weight;
    this.size = this.begin.length - 1;
    this.W = matrix.W;
    this.step = matrix.step;
    this.spacing = matrix.spacing;
    this.first = matrix.component_first;
    this.vertex_component = matrix.component;
    this.landmarks = matrix.landmark;
    this.bound = bound;
    this.W_begin = [0];
    for (let c = 0; c + 1 < this.first.length; ++c) {
      const count = this.first[c + 1] - this.first[c];
      this.W_begin.push(this.W_begin[c] + (count * (count + 1)) / 2);
    }
    // Room for the difference of two rows of P.
    this.merged_column = new Int32Array(2 * this.longest_row());
    this.merged_value = new Float64Array(2 * this.longest_row());
  }

  get form() {
    return "near-field";
  }

  longest_row() {
    let longest = 0;
    for (let v = 0; v < this.size; ++v) longest = Math.max(longest, this.begin[v + 1] - this.begin[v]);
    return longest;
  }

  component(vertex) {
    return this.vertex_component === undefined ? 0 : this.vertex_component[vertex];
  }

  // W times row i of P: for every landmark, zero for those of other components.
  landmark_distances(i) {
    const c = this.component(i), z = new Float64Array(this.landmarks.length);
    const { W, column, weight } = this;
    const first = this.first[c], count = this.first[c + 1] - first, base = this.W_begin[c];
    const step = this.step.length > 0 ? this.step[c] : 1;
    for (let k = this.begin[i]; k < this.begin[i + 1]; ++k) {
      const own = column[k] - first, w = weight[k];
      const row = base + (own * (own + 1)) / 2;
      for (let r = 0; r <= own; ++r) z[first + r] += w * W[row + r];
      for (let r = own + 1, at = base + (r * (r + 1)) / 2 + own; r < count; ++r, at += r) z[first + r] += w * W[at];
    }
    if (step !== 1) for (let r = 0; r < count; ++r) z[first + r] *= step;
    return z;
  }

  // Rows of a thresholded P may miss sum one.
  unit_scale(i) {
    let sum = 0;
    for (let k = this.begin[i]; k < this.begin[i + 1]; ++k) sum += this.weight[k];
    return sum > 0.5 ? 1 / sum : 1;
  }

  same_row(i, j) {
    const { begin, column, weight } = this;
    const length = begin[i + 1] - begin[i];
    if (length !== begin[j + 1] - begin[j]) return false;
    for (let k = 0, a = begin[i], b = begin[j]; k < length; ++k, ++a, ++b)
      if (column[a] !== column[b] || weight[a] !== weight[b]) return false;
    return true;
  }

  // sqrt(-½ δ W₂ δᵀ), δ the difference of the two rows of P, each scaled to sum one.
  near_distance(i, j, scale_i, scale_j) {
    const { begin, column, weight, W, merged_column: at, merged_value: value } = this;
    const c = this.component(i), first = this.first[c], base = this.W_begin[c];
    const step = this.step.length > 0 ? this.step[c] : 1;
    let size = 0;
    for (let a = begin[i], b = begin[j], a_end = begin[i + 1], b_end = begin[j + 1]; a < a_end || b < b_end; ++size) {
      const ca = a < a_end ? column[a] : Infinity, cb = b < b_end ? column[b] : Infinity;
      at[size] = (ca < cb ? ca : cb) - first;
      let delta = 0;
      if (ca <= cb) delta += scale_i * weight[a++];
      if (cb <= ca) delta -= scale_j * weight[b++];
      value[size] = delta;
    }
    let total = 0;
    for (let r = 0; r < size; ++r) {
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

  correct(raw, i, j, scale_i) {
    if (i === j) return 0;
    const bound = this.bound(i, j);
    const spacing = this.spacing[this.component(i)];
    let distance = raw;
    if (raw < blend_end * spacing) {
      let near = this.near_distance(i, j, scale_i, this.unit_scale(j));
      if (bound <= 0 && !this.bound.chord && this.same_row(i, j)) near = raw;
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
    if (c < 0) {
      for (let k = 0; k < count; ++k) result[k] = (to === undefined ? k : to[k]) === i ? 0 : Infinity;
      return result;
    }
    const { begin, column, weight } = this;
    const z = this.landmark_distances(i), scale = this.unit_scale(i);
    for (let k = 0; k < count; ++k) {
      const j = to === undefined ? k : to[k];
      if (this.component(j) !== c) {
        result[k] = Infinity;
        continue;
      }
      let raw = 0;
      for (let e = begin[j], end = begin[j + 1]; e < end; ++e) raw += weight[e] * z[column[e]];
      result[k] = this.correct(raw, i, j, scale);
    }
    return result;
  }

  distance(i, j) {
    return this.row(i, [j])[0];
  }

  // For every vertex the landmark it draws on most (its place among the landmarks), or -1.
  cells() {
    const result = new Int32Array(this.size).fill(-1);
    for (let v = 0; v < this.size; ++v) {
      let most = -Infinity;
      for (let k = this.begin[v]; k < this.begin[v + 1]; ++k)
        if (this.weight[k] > most) {
          most = this.weight[k];
          result[v] = this.column[k];
        }
    }
    return result;
  }
}
