// What is written over each shape: its name, the colour bar, the distance under the pointer.
import { css, distance_colour, error_colour } from "./colours.js";
import { element } from "./elements.js";
import { digits, grouped, percent, round_step } from "./numbers.js";

const stops = 24;
const gradient = (colour) =>
  `linear-gradient(90deg, ${Array.from({ length: stops + 1 }, (_, k) => css(colour(k / stops))).join(", ")})`;

// The numbers along a colour bar: [{ value, share, text }].
export function ticks(view) {
  const step = round_step(view.range, 4);
  const result = [];
  for (let k = 0; k * step <= view.range * 1.0001; ++k) {
    const value = k * step;
    result.push({ value, share: value / view.range, text: view.mode === "error" ? percent(value) : digits(value) });
  }
  return result;
}

// What the colours mean, in a line.
export function legend(view, unit) {
  const units = unit || "shape units";
  if (view.mode === "distance")
    return `distance from vertex ${grouped(view.number_of(view.source))} · ${units}` +
      (view.uniforms.isoline_step.value > 0 ? ` · lines every ${digits(view.isoline_step)}` : "");
  if (view.mode === "error") return `relative error, over ${view.shape.error_rows} rows of exact distances`;
  if (view.mode === "form") return "canonical coordinates as red, green and blue";
  if (view.mode === "cells") return `cells of ${grouped(view.facts.landmarks)} landmarks: the landmark with the largest weight`;
  return "no measured error";
}

export class CellLabels {
  constructor(container, app, stage) {
    this.app = app;
    this.stage = stage;
    this.hovered = new Map();
    this.cells = app.views.map((view) => this.make_cell(view));
    container.append(...this.cells.map((cell) => cell.box));
    app.on_change(() => this.update());
    stage.resized = () => this.place();
    this.place();
    this.update();
  }

  make_cell(view) {
    const facts = view.facts;
    const drawn = view.geometry.drawn < view.vertices ? `, ${grouped(view.geometry.drawn)} of them drawn` : "";
    const cell = {
      bar: element("div", { class: "gradient" }),
      ticks: element("div", { class: "ticks" }),
      legend: element("div", { class: "legend" }),
      readout: element("div", { class: "readout" }),
    };
    cell.box = element("section", { class: "cell" },
      element("header", {}, element("b", {}, facts.name), element("span", {}, `${grouped(view.vertices)} vertices${drawn}`)),
      element("footer", {}, cell.readout, element("div", { class: "scale" }, cell.bar, cell.ticks), cell.legend));
    return cell;
  }

  place() {
    this.stage.cells.forEach((place, k) => {
      const { style } = this.cells[k].box;
      style.left = `${place.x}px`;
      style.top = `${place.y}px`;
      style.width = `${place.width}px`;
      style.height = `${place.height}px`;
    });
  }

  // The drawn vertex under the pointer, in every shape that has a partner of it.
  hover(index, drawn) {
    this.hovered.clear();
    if (drawn >= 0) {
      const vertex = this.app.views[index].geometry.vertex_of(drawn);
      this.app.views.forEach((_, k) => {
        const partner = this.app.partner(index, vertex, k);
        if (partner >= 0) this.hovered.set(k, partner);
      });
    }
    this.cells.forEach((_, k) => this.write_readout(k));
  }

  write_readout(k) {
    const view = this.app.views[k], unit = this.app.page.unit ? ` ${this.app.page.unit}` : "";
    const { readout } = this.cells[k];
    const vertex = this.hovered.get(k);
    if (vertex !== undefined) {
      const at = view.drawn_vertex(vertex);
      const known = view.mode === "error" ? percent(view.shape.error[vertex])
        : view.distances ? digits(view.geometry.origin ? view.matrix.distance(view.source, vertex) : view.distances[at]) + unit : "";
      readout.textContent = `vertex ${grouped(view.number_of(vertex))}: ${known}`;
    } else if (view.target >= 0) {
      readout.textContent = `${grouped(view.number_of(view.source))} to ${grouped(view.number_of(view.target))}: ` +
        digits(view.pair_distance(), 6) + unit;
    } else {
      readout.textContent = "";
    }
  }

  update() {
    this.app.views.forEach((view, k) => {
      const cell = this.cells[k];
      const valued = view.mode === "distance" || view.mode === "error";
      cell.bar.parentElement.hidden = !valued;
      cell.legend.textContent = legend(view, this.app.page.unit);
      if (valued) {
        cell.bar.style.backgroundImage = gradient(view.mode === "error" ? error_colour : distance_colour);
        cell.ticks.replaceChildren(...ticks(view).map(({ share, text }) => {
          const tick = element("span", {}, text);
          tick.style.left = `${100 * share}%`;
          return tick;
        }));
      }
      this.write_readout(k);
    });
  }
}
