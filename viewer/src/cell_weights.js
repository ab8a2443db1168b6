// P in coded form (src/geodome/cell/cell_matrix.h): the weights of a vertex are the mean of its cell plus directions
// of the cell times the codes of the vertex.

// Where each of several ranges begins, and where the last one ends.
function begins(lengths) {
  const result = new Uint32Array(lengths.length + 1);
  for (let k = 0; k < lengths.length; ++k) result[k + 1] = result[k] + lengths[k];
  return result;
}

// Codes come by direction; each is the difference from the vertex before it in the same cell.
function read_codes({ cell, code }, directions, most) {
  const result = new Int16Array(cell.length * most);
  for (let j = 0, at = 0; j < most; ++j) {
    const last = new Int16Array(directions.length);
    for (let v = 0; v < cell.length; ++v) {
      const c = cell[v];
      if (c < directions.length && j < directions[c]) result[v * most + j] = last[c] += code[at++];
    }
  }
  return result;
}

export class CellWeights {
  // `matrix` as the page holds it.
  constructor({ cells, vertices, component_first }) {
    this.cell = vertices.cell;
    this.size = this.cell.length;
    this.cell_component = cells.component;
    this.directions = cells.directions;
    this.most = cells.directions.reduce((a, b) => Math.max(a, b), 0);
    this.longest = cells.size.reduce((a, b) => Math.max(a, b), 0);
    this.code = read_codes(vertices, cells.directions, this.most);
    this.support_begin = begins(cells.size);
    this.support = Uint32Array.from(cells.support);
    this.weight_begin = begins(cells.size.map((size, c) => size * (1 + cells.directions[c])));
    this.weight = new Float64Array(cells.weight.length);
    let row = 0;
    cells.size.forEach((size, c) => {
      for (let s = this.support_begin[c]; s < this.support_begin[c + 1]; ++s)
        this.support[s] += component_first[cells.component[c]];
      for (let at = this.weight_begin[c]; at < this.weight_begin[c + 1]; ++row)
        for (const end = at + size, scale = 2 ** -cells.digits[row]; at < end; ++at)
          this.weight[at] = cells.weight[at] * scale;
    });
  }

  component(vertex) {
    return this.cell_component[this.cell[vertex]] ?? -1;
  }

  // Writes the landmarks and weights of a row to `column` and `value`; returns how many there are.
  read(vertex, column, value) {
    const c = this.cell[vertex];
    if (c >= this.directions.length) return 0;
    const first = this.support_begin[c], count = this.support_begin[c + 1] - first;
    let at = this.weight_begin[c];
    for (let s = 0; s < count; ++s, ++at) {
      column[s] = this.support[first + s];
      value[s] = this.weight[at];
    }
    for (let j = 0; j < this.directions[c]; ++j) {
      const factor = this.code[vertex * this.most + j];
      for (let s = 0; s < count; ++s, ++at) value[s] += factor * this.weight[at];
    }
    return count;
  }

  // A function of the vertex: its row times z, which has one number for each landmark. The mean and the directions of
  // a cell are multiplied with z once.
  product(z) {
    const { cell, code, directions, most } = this;
    const width = most + 1, table = new Float64Array(directions.length * width), done = new Uint8Array(directions.length);
    const fill = (c) => {
      done[c] = 1;
      for (let j = 0, at = this.weight_begin[c]; j <= directions[c]; ++j)
        for (let s = this.support_begin[c]; s < this.support_begin[c + 1]; ++s, ++at)
          table[c * width + j] += this.weight[at] * z[this.support[s]];
    };
    return (vertex) => {
      const c = cell[vertex];
      if (c >= directions.length) return 0;
      if (!done[c]) fill(c);
      let sum = table[c * width];
      for (let j = 0, at = c * width + 1, k = vertex * most; j < directions[c]; ++j, ++at, ++k) sum += code[k] * table[at];
      return sum;
    };
  }
}
