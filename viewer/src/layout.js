// Where on the canvas each shape is drawn, and how large.

const margin = { wide: 24, high: 124 }; // pixels of a cell that are left to what is written over it

// Cells in a number of rows that fill the whole canvas; rows differ by one cell at most.
function cells_in(rows, count, width, height) {
  const cells = [];
  for (let row = 0, left = count; row < rows; ++row) {
    const columns = Math.ceil(left / (rows - row));
    for (let k = 0; k < columns; ++k)
      cells.push({ x: (k * width) / columns, y: (row * height) / rows, width: width / columns, height: height / rows });
    left -= columns;
  }
  return cells;
}

// The factor with which points fill a cell whose height is two units. `seen`: points as the camera sees them: to the
// right, up, and towards it, three numbers each. What is nearer to the camera is larger.
function fit({ width, height }, seen, camera_distance) {
  const room = (size, lost) => Math.max(size - lost, 0.4 * size) / height;
  const wide = room(width, margin.wide), high = room(height, margin.high);
  let scale = Infinity;
  for (let k = 0; k < seen.length; k += 3) {
    const nearer = seen[k + 2] / camera_distance;
    const least = Math.max(Math.abs(seen[k]) / wide, Math.abs(seen[k + 1]) / high) + nearer;
    if (least > 0) scale = Math.min(scale, 1 / least);
  }
  return scale < Infinity ? scale : 1;
}

function size_of(seen) {
  let wide = 0, high = 0;
  for (let k = 0; k < seen.length; k += 3) {
    wide = Math.max(wide, Math.abs(seen[k]));
    high = Math.max(high, Math.abs(seen[k + 1]));
  }
  return Math.sqrt(wide * high) || 1;
}

// `seen`: of every shape the points as it is and as its form. Shapes of a group have one scale, so that sizes can be
// compared. The number of rows is the one in which shapes are largest, in the geometric mean. The result: a cell for
// each shape, and its two factors.
export function arrange(width, height, seen, in_group, camera_distance) {
  let best = { size: -Infinity };
  for (let rows = 1; rows <= seen.length; ++rows) {
    const cells = cells_in(rows, seen.length, width, height);
    const pixels = seen.map((ends, k) => ends.map((points) => (fit(cells[k], points, camera_distance) * cells[k].height) / 2));
    for (const end of [0, 1]) {
      const shared = Math.min(...pixels.filter((_, k) => in_group(k)).map((ends) => ends[end]));
      pixels.forEach((ends, k) => in_group(k) && (ends[end] = shared));
    }
    const size = seen.reduce((sum, [points], k) => sum + Math.log(pixels[k][0] * size_of(points)), 0);
    const scales = pixels.map((ends, k) => ends.map((scale) => (2 * scale) / cells[k].height));
    if (size > best.size) best = { size, cells, scales };
  }
  return best;
}
