// What is shown: the picked points, the colours, the morph; and who has to be told when that changes.
import { nearest_row } from "./picking.js";

export const colourings = ["distance", "form", "cells", "error"];

export class App {
  constructor(page, views) {
    this.page = page;
    this.views = views;
    this.active = 0; // the shape that was picked last
    this.colour = "distance";
    this.isolines = true;
    this.landmarks = false;
    this.link = true;
    this.follow = false;
    this.morph = 0;
    this.listeners = [];
    this.form_radii = views.map((view) => Math.sqrt(mean_square(view.shape.form)) || 1);
    for (const view of views) view.set_morph(0);
    this.pick_first_points();
    this.recolour();
  }

  // `listener(what)` is told of every change: "points", "colours", "morph" or "options".
  on_change(listener) {
    this.listeners.push(listener);
  }
  tell(what) {
    for (const listener of this.listeners) listener(what);
  }

  corresponds(k, other) {
    return k === other || (this.views[k].shape.corresponds && this.views[other].shape.corresponds);
  }

  alike(k) {
    return this.views[k].shape.alike;
  }

  // The vertex of shape `to` that is `vertex` of shape `from`, or -1.
  partner(from, vertex, to) {
    if (vertex < 0 || from === to) return vertex;
    if (!this.link || !this.alike(from) || !this.alike(to)) return -1;
    if (this.corresponds(from, to)) return vertex;
    const scale = this.form_radii[to] / this.form_radii[from], { form } = this.views[from].shape;
    const [x, y, z] = [0, 1, 2].map((axis) => form[3 * vertex + axis] * scale);
    return nearest_row(this.views[to].shape.form, this.views[to].geometry.origin, x, y, z);
  }

  // An end of each shape: far from its first landmark.
  pick_first_points() {
    this.views.forEach((view, k) => {
      const partner = k > 0 ? this.partner(0, this.views[0].source, k) : -1;
      if (partner >= 0) return view.set_source(partner);
      view.set_source(view.matrix.landmarks[0]);
      const farthest = view.distances.indexOf(view.farthest);
      if (farthest >= 0) view.set_source(view.geometry.vertex_of(farthest));
    });
  }

  for_partners(index, vertex, set) {
    this.views.forEach((view, k) => {
      const partner = this.partner(index, vertex, k);
      if (partner >= 0) set(view, partner);
    });
  }

  set_source(index, vertex) {
    if (vertex === this.views[index].source) return;
    this.active = index;
    const start = performance.now();
    this.for_partners(index, vertex, (view, partner) => view.set_source(partner));
    this.recolour();
    this.row_milliseconds = performance.now() - start;
    this.tell("points");
  }

  set_target(index, vertex) {
    this.active = index;
    if (vertex < 0) for (const view of this.views) view.set_target(-1);
    else this.for_partners(index, vertex, (view, partner) => view.set_target(partner));
    this.tell("points");
  }

  // A click: the first sets where distances are from, the second measures a pair, the third begins anew.
  pick(index, vertex) {
    const view = this.views[index];
    if (this.awaiting_target && view.source >= 0) {
      this.awaiting_target = false;
      return this.set_target(index, vertex);
    }
    this.awaiting_target = true;
    for (const one of this.views) one.set_target(-1);
    this.set_source(index, vertex);
    this.tell("points");
  }

  clear_target() {
    this.awaiting_target = false;
    this.set_target(this.active, -1);
  }

  set_colour(colour) {
    if (colour === "error" && !this.views.some((view) => view.has_error)) return;
    this.colour = colour;
    this.recolour();
    this.tell("colours");
  }

  set_option(name, value) {
    this[name] = value;
    if (name === "landmarks") for (const view of this.views) view.landmark_marks.group.visible = value;
    if (name === "link" && value) this.for_partners(this.active, this.views[this.active].source, (view, v) => view.set_source(v));
    this.recolour();
    this.tell("options");
  }

  set_morph(share) {
    this.morph = Math.max(0, Math.min(1, share));
    for (const view of this.views) view.set_morph(this.morph);
    this.tell("morph");
  }

  recolour() {
    this.views.forEach((view, k) => {
      const group = this.views.filter((_, other) => this.corresponds(k, other));
      if (this.colour === "error") {
        // A shape without a measured error stays grey.
        if (view.has_error) view.colour_by("error", Math.max(...group.map((one) => (one.has_error ? one.error_range() : 0))), false);
        else view.colour_by("none", 1, false);
      } else {
        view.colour_by(this.colour, Math.max(...group.map((one) => one.farthest)), this.isolines);
      }
    });
  }
}

function mean_square(points) {
  let sum = 0;
  for (let k = 0; k < points.length; ++k) sum += points[k] ** 2;
  return sum / (points.length / 3);
}
