// P by rows, as sparse and dense files hold it: where the rows begin, the landmark and the weight of every entry.

export class SparseWeights {
  // `matrix` as the page holds it.
  constructor({ P, component }) {
    Object.assign(this, P);
    this.size = this.begin.length - 1;
    this.vertex_component = component;
    this.longest = 0;
    for (let v = 0; v < this.size; ++v) this.longest = Math.max(this.longest, this.begin[v + 1] - this.begin[v]);
  }

  component(vertex) {
    return this.vertex_component === undefined ? 0 : this.vertex_component[vertex];
  }

  // Writes the landmarks and weights of a row to `column` and `value`; returns how many there are.
  read(vertex, column, value) {
    const begin = this.begin[vertex], count = this.begin[vertex + 1] - begin;
    for (let k = 0; k < count; ++k) {
      column[k] = this.column[begin + k];
      value[k] = this.weight[begin + k];
    }
    return count;
  }

  // A function of the vertex: its row times z, which has one number for each landmark.
  product(z) {
    const { begin, column, weight } = this;
    return (vertex) => {
      let sum = 0;
      for (let k = begin[vertex], end = begin[vertex + 1]; k < end; ++k) sum += weight[k] * z[column[k]];
      return sum;
    };
  }
}
