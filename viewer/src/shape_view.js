// One shape on the stage: its matrix, what is drawn of it, and how it is coloured.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineSegments, Mesh, Points, Vector3 } from "three";
import { canonical_colours, cell_colour, distance_colour, error_colour } from "./colours.js";
import { make_geometry, morphed, vertex_normals } from "./geometry.js";
import { line_material, mark_material, point_material, set_morphing, set_pixel_ratio, surface_material, surface_uniforms,
  table_texture } from "./materials.js";
import { lower_bound } from "./lower_bound.js";
import { Matrix } from "./matrix.js";
import { round_step } from "./numbers.js";
import { along, shortest_path } from "./path.js";
import { hit_vertex, near_point } from "./picking.js";

const landmark_ink = [0.95, 0.3, 0.24], source_ink = [1, 1, 1], target_ink = [0.06, 0.06, 0.08];
const path_ink = [1, 1, 1], path_dots = 600; // so close together that their dark rims look like a line
let tables;

export class ShapeView {
  constructor(shape) {
    tables ??= { distance: table_texture(distance_colour), error: table_texture(error_colour) };
    this.shape = shape;
    this.facts = shape.facts;
    this.matrix = new Matrix(shape.matrix, lower_bound(shape));
    if (shape.form.landmarks !== undefined) shape.form = this.matrix.combinations(shape.form.landmarks);
    this.geometry = make_geometry(shape, (v) => this.matrix.component(v));
    this.source = this.target = -1;
    this.distances = undefined; // from the source to every drawn vertex
    this.farthest = 0;
    this.range = 1;
    this.morph = 0;
    this.scales = [1 / this.geometry.place_radius, 1 / this.geometry.form_radius];
    this.uniforms = surface_uniforms(tables.distance);
    this.group = new Group();
    this.materials = [];
    this.make_objects();
  }

  get vertices() {
    return this.matrix.size;
  }
  // How much distances differ at most from those of the command line.
  get rounding() {
    return this.shape.rounding ?? 0;
  }
  get has_error() {
    return this.shape.error !== undefined;
  }
  get is_surface() {
    return this.geometry.triangles !== undefined;
  }

  // The number the shape's own file knows a vertex by, and back.
  number_of(vertex) {
    return this.shape.labels ? this.shape.labels[vertex] : vertex;
  }
  vertex_of_number(number) {
    const vertex = this.shape.labels ? this.shape.labels.indexOf(number) : number;
    return Number.isInteger(vertex) && vertex >= 0 && vertex < this.vertices ? vertex : -1;
  }

  make_objects() {
    const { geometry } = this;
    const shared = new BufferGeometry();
    this.buffers = shared;
    shared.setAttribute("position", new BufferAttribute(geometry.places, 3));
    shared.setAttribute("form", new BufferAttribute(geometry.form, 3));
    shared.setAttribute("value", new BufferAttribute(new Float32Array(geometry.drawn), 1));
    shared.setAttribute("tint", new BufferAttribute(new Uint8Array(4 * geometry.drawn), 4, true));
    shared.attributes.value.setUsage(DynamicDrawUsage);
    if (this.is_surface) {
      shared.setAttribute("normal", new BufferAttribute(geometry.place_normals, 4, true));
      shared.setAttribute("form_normal", new BufferAttribute(new Int8Array(4 * geometry.drawn), 4, true)); // see set_morph
      shared.setIndex(new BufferAttribute(geometry.triangles, 1));
      this.body = new Mesh(shared, surface_material(this.uniforms));
      this.add(this.body);
    } else {
      this.body = new Points(shared, point_material(this.uniforms));
      this.add(this.body);
      if (geometry.edges) {
        const wires = new BufferGeometry();
        for (const name of ["position", "form", "value", "tint"]) wires.setAttribute(name, shared.attributes[name]);
        wires.setIndex(new BufferAttribute(new Uint32Array(geometry.edges.buffer), 1));
        this.add(new LineSegments(wires, line_material(this.uniforms)));
      }
    }
    this.landmark_marks = this.make_marks(this.matrix.landmarks.length, landmark_ink, [{ size: 7, lift: 0.003 }]);
    this.landmark_marks.group.visible = false;
    this.place_marks(this.landmark_marks, this.matrix.landmarks);
    this.pins = [source_ink, target_ink].map((ink) =>
      this.make_marks(1, ink, [{ size: 17, opacity: 0.35, ghost: true }, { size: 17, lift: 0.01 }]));
    for (const pin of this.pins) pin.group.visible = false;
    this.path_marks = this.make_marks(path_dots, path_ink, [{ size: 5, lift: 0.006 }]);
    this.path_marks.group.visible = false;
  }

  // Sizes in pixels: of marks, points and lines.
  set_pixel_ratio(ratio) {
    for (const material of this.materials) set_pixel_ratio(material, ratio);
  }

  add(object) {
    object.frustumCulled = false; // places move in the shader
    this.materials.push(object.material);
    this.group.add(object);
  }

  make_marks(count, ink, layers) {
    const buffers = new BufferGeometry();
    buffers.setAttribute("position", new BufferAttribute(new Float32Array(3 * count), 3));
    buffers.setAttribute("form", new BufferAttribute(new Float32Array(3 * count), 3));
    buffers.setAttribute("ink", new BufferAttribute(Float32Array.from({ length: 3 * count }, (_, k) => ink[k % 3]), 3));
    const group = new Group();
    for (const layer of layers) {
      const points = new Points(buffers, mark_material(this.uniforms.morph, layer));
      points.frustumCulled = false;
      points.renderOrder = layers.length > 1 ? 3 : 2; // pins over landmarks
      this.materials.push(points.material);
      group.add(points);
    }
    this.group.add(group);
    return { group, buffers };
  }

  place_marks({ buffers }, vertices) {
    vertices.forEach((vertex, k) => {
      const drawn = this.drawn_vertex(vertex);
      for (let axis = 0; axis < 3; ++axis) {
        buffers.attributes.position.array[3 * k + axis] = this.geometry.places[3 * drawn + axis];
        buffers.attributes.form.array[3 * k + axis] = this.geometry.form[3 * drawn + axis];
      }
    });
    buffers.attributes.position.needsUpdate = buffers.attributes.form.needsUpdate = true;
  }

  // The drawn vertex that stands for a vertex: itself, or the one nearest to it in the canonical form.
  drawn_vertex(vertex) {
    const { origin } = this.geometry;
    if (!origin) return vertex;
    let low = 0, high = origin.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (origin[middle] < vertex) low = middle + 1;
      else high = middle;
    }
    if (origin[low] === vertex) return low;
    const { form } = this.shape;
    let best = 0, nearest = Infinity;
    for (let d = 0; d < origin.length; ++d) {
      const v = 3 * origin[d];
      const off = (form[v] - form[3 * vertex]) ** 2 + (form[v + 1] - form[3 * vertex + 1]) ** 2 +
        (form[v + 2] - form[3 * vertex + 2]) ** 2;
      if (off < nearest) {
        nearest = off;
        best = d;
      }
    }
    return best;
  }

  set_morph(share) {
    this.morph = this.geometry.has_places ? share : 1;
    if (this.morph > 0) this.need_form_normals();
    this.uniforms.morph.value = this.morph;
    for (const material of this.materials) set_morphing(material, this.morph > 0);
    this.current_places = undefined;
    this.set_scale(this.scales);
  }

  // They take time, and are of no use before the form is seen.
  need_form_normals() {
    if (!this.is_surface || this.has_form_normals) return;
    this.has_form_normals = true;
    const { form_normal } = this.buffers.attributes;
    form_normal.array.set(vertex_normals(this.geometry.form, this.geometry.triangles));
    form_normal.needsUpdate = true;
  }

  // How large the shape and its form are drawn.
  set_scale(scales) {
    this.scales = scales;
    const [from, to] = scales;
    this.group.scale.setScalar(1 / (1 / from + this.morph * (1 / to - 1 / from)));
  }

  // Where the drawn vertices are now, before the group's scale.
  places() {
    this.current_places ??= morphed(this.geometry, this.morph);
    return this.current_places;
  }

  // Distances from a vertex to every drawn one; -1 forgets them.
  set_source(vertex) {
    this.source = vertex;
    this.pins[0].group.visible = vertex >= 0;
    if (vertex < 0) {
      this.distances = undefined;
      return;
    }
    this.place_marks(this.pins[0], [vertex]);
    this.distances = this.matrix.row(vertex, this.geometry.origin);
    this.farthest = 0;
    for (const d of this.distances) if (d > this.farthest && d < Infinity) this.farthest = d;
    if (this.target >= 0) this.draw_path();
  }

  set_target(vertex) {
    this.target = vertex;
    this.pins[1].group.visible = vertex >= 0;
    if (vertex >= 0) this.place_marks(this.pins[1], [vertex]);
    this.draw_path();
  }

  // Between the two pins, on surfaces.
  draw_path() {
    const { geometry, source, target } = this;
    this.path = this.is_surface && source >= 0 && target >= 0
      ? shortest_path(geometry.places, geometry.triangles, this.distances, this.matrix.row(target, geometry.origin),
          this.drawn_vertex(source), this.drawn_vertex(target))
      : [];
    this.path_marks.group.visible = this.path.length > 1;
    if (this.path.length < 2) return;
    const { position, form } = this.path_marks.buffers.attributes;
    const put = (array, places, at, { a, b, part }, weight) => {
      for (let axis = 0; axis < 3; ++axis)
        array[at + axis] += weight * (places[3 * a + axis] + part * (places[3 * b + axis] - places[3 * a + axis]));
    };
    position.array.fill(0);
    form.array.fill(0);
    along(geometry.places, this.path, path_dots).forEach(({ from, to, share }, k) => {
      for (const [array, places] of [[position.array, geometry.places], [form.array, geometry.form]]) {
        put(array, places, 3 * k, from, 1 - share);
        put(array, places, 3 * k, to, share);
      }
    });
    position.needsUpdate = form.needsUpdate = true;
  }

  pair_distance() {
    return this.matrix.distance(this.source, this.target);
  }

  // `range`: the value at the end of the colour bar.
  colour_by(mode, range, isolines) {
    this.mode = mode;
    this.range = range > 0 ? range : 1;
    this.uniforms.by_value.value = mode === "distance" || mode === "error";
    this.uniforms.table.value = mode === "error" ? tables.error : tables.distance;
    this.isoline_step = mode === "distance" && this.is_surface ? round_step(this.range, 16) : 0;
    this.uniforms.isoline_step.value = isolines ? this.isoline_step / this.range : 0;
    if (mode === "distance") this.fill_values(this.distances);
    if (mode === "error") this.fill_values(this.drawn_errors());
    if (mode === "form") this.fill_tints((this.form_tints ??= this.make_form_tints()));
    if (mode === "cells") this.fill_tints((this.cell_tints ??= this.make_cell_tints()));
  }

  fill_values(numbers) {
    const { value } = this.buffers.attributes;
    if (numbers === undefined) value.array.fill(-1);
    else {
      const scale = 1 / this.range;
      for (let d = 0; d < numbers.length; ++d) value.array[d] = numbers[d] < Infinity ? numbers[d] * scale : -1;
    }
    value.needsUpdate = true;
  }

  fill_tints(tints) {
    const { tint } = this.buffers.attributes;
    tint.array.set(tints);
    tint.needsUpdate = true;
  }

  drawn_errors() {
    const { drawn, vertex_of } = this.geometry;
    return Float32Array.from({ length: drawn }, (_, d) => this.shape.error[vertex_of(d)]);
  }

  // Nearly the largest: a few vertices beyond it would leave all others pale.
  error_range() {
    const sorted = this.shape.error.slice().sort();
    return sorted[Math.floor(0.99 * (sorted.length - 1))];
  }

  make_form_tints() {
    const all = canonical_colours(this.shape.form, (v) => this.matrix.component(v));
    return this.drawn_tints((v, tints, at) => {
      for (let channel = 0; channel < 3; ++channel) tints[at + channel] = all[3 * v + channel];
    });
  }

  make_cell_tints() {
    return this.drawn_tints((v, tints, at) =>
      cell_colour(this.matrix.nearest_landmark(v)).forEach((x, channel) => (tints[at + channel] = Math.round(255 * x))));
  }

  drawn_tints(fill) {
    const { drawn, vertex_of } = this.geometry;
    const tints = new Uint8Array(4 * drawn);
    for (let d = 0; d < drawn; ++d) fill(vertex_of(d), tints, 4 * d);
    return tints;
  }

  // The drawn vertex under the pointer at (x, y) of the screen (-1 to 1), or -1.
  pick(camera, x, y, reach) {
    this.group.updateMatrixWorld();
    if (this.is_surface) {
      const inverse = this.group.matrixWorld.clone().invert();
      const origin = camera.position.clone().applyMatrix4(inverse);
      const direction = new Vector3(x, y, 0.5).unproject(camera).applyMatrix4(inverse).sub(origin).normalize();
      return hit_vertex(this.places(), this.geometry.triangles, origin.toArray(), direction.toArray());
    }
    const matrix = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).multiply(this.group.matrixWorld);
    return near_point(this.places(), matrix.elements, x, y, reach);
  }

  // Where a vertex is on the screen (-1 to 1).
  screen_place(camera, vertex) {
    this.group.updateMatrixWorld();
    const drawn = this.drawn_vertex(vertex);
    return new Vector3().fromArray(this.places(), 3 * drawn).applyMatrix4(this.group.matrixWorld).project(camera);
  }
}
