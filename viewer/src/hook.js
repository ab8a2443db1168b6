// A small window for tests and for the curious (in the console): window.geodome.

export function make_hook(app, stage, actions) {
  return {
    ready: true,
    vertices: () => app.views.map((view) => view.vertices),
    // All distances from a vertex, and between two, of a shape.
    row: (shape, vertex) => Array.from(app.views[shape].matrix.row(vertex)),
    rounding: (shape) => app.views[shape].rounding,
    distance: (shape, from, to) => app.views[shape].matrix.distance(from, to),
    state: () => ({
      sources: app.views.map((view) => view.source),
      targets: app.views.map((view) => view.target),
      pairs: app.views.map((view) => (view.source >= 0 && view.target >= 0 ? view.pair_distance() : null)),
      paths: app.views.map((view) => view.path?.length ?? 0),
      ranges: app.views.map((view) => view.range),
      colour: app.colour, morph: app.morph, landmarks: app.landmarks, isolines: app.isolines, link: app.link,
      row_milliseconds: app.row_milliseconds,
    }),
    // Where the drawn vertices are now, the vertices they stand for, and the numbers they are coloured by.
    places: (shape) => Array.from(app.views[shape].places()),
    origin: (shape) => Array.from({ length: app.views[shape].geometry.drawn }, (_, d) => app.views[shape].geometry.vertex_of(d)),
    values: (shape) => Array.from(app.views[shape].buffers.attributes.value.array),
    tints: (shape) => Array.from(app.views[shape].buffers.attributes.tint.array),
    place_on_canvas: (shape, vertex) => stage.canvas_place(shape, vertex),
    // Whether a vertex is what a click at its place on the canvas finds, in whole pixels and one to every side.
    visible: (shape, vertex) => {
      const { left, top } = stage.canvas_place(shape, vertex), view = app.views[shape];
      return [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]].every(([x, y]) => {
        const at = stage.locate(Math.round(left) + x, Math.round(top) + y);
        return at?.index === shape && view.geometry.vertex_of(view.pick(stage.camera_of(shape), at.x, at.y, at.reach)) === vertex;
      });
    },
    // Between the two picked vertices: points { a, b, part } on edges between drawn vertices.
    path: (shape) => app.views[shape].path ?? [],
    set_source: (shape, vertex) => app.set_source(shape, vertex),
    set_morph: (share) => app.set_morph(share),
    // Milliseconds of each of some frames while rotating, to the last pixel; and of some rows of distances.
    frame_times: (count) => Array.from({ length: count }, () => {
      const start = performance.now();
      stage.turn(0.05, 0);
      stage.draw(stage.moving_ratio);
      const gl = stage.renderer.getContext();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      stage.note_frame(performance.now() - start);
      return performance.now() - start;
    }),
    pixel_ratio: () => stage.moving_ratio,
    row_times: (shape, count) => Array.from({ length: count }, (_, k) => {
      const view = app.views[shape];
      const start = performance.now();
      app.set_source(shape, Math.floor(((k + 0.5) * view.vertices) / count));
      return performance.now() - start;
    }),
    actions,
  };
}
