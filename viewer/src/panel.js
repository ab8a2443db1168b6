// The numbers and the controls beside the picture.
import { element } from "./elements.js";
import { make_headline, make_tables } from "./facts.js";
import { digits, grouped } from "./numbers.js";

const colour_names = {
  distance: ["Distance", "Distance from the picked point"],
  form: ["Form", "Canonical coordinates as red, green and blue"],
  cells: ["Cells", "The landmark with the largest weight for each vertex"],
  error: ["Error", "Error of each vertex, relative to exact distances"],
};

function segmented(label, names, current, choose) {
  const buttons = Object.entries(names).map(([value, [text, title]]) =>
    element("button", { type: "button", title, "data-value": value, onclick: () => choose(value) }, text));
  const box = element("div", { class: "segments", role: "group", "aria-label": label }, ...buttons);
  const update = () => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.value === current()));
  };
  return { box, buttons, update };
}

function toggle(app, name, text, title) {
  const input = element("input", { type: "checkbox", onchange: () => app.set_option(name, input.checked) });
  return { box: element("label", { class: "toggle", title }, input, element("span", {}, text)),
           update: () => (input.checked = app[name]) };
}

// Positions of some shapes are rounded: how much that can change distances.
function agreement(views) {
  const most = Math.max(...views.map((view) => view.rounding));
  return most > 0 ? ` to within ${digits(most, 2)}` : "";
}

export class Panel {
  constructor(container, app, actions) {
    this.app = app;
    this.actions = actions;
    this.parts = [];
    container.append(
      make_headline(app.page),
      element("section", { class: "numbers" }, element("h2", {}, "Numbers"), ...make_tables(app)),
      this.section("Colour", this.make_colours()),
      this.section("Shape", this.make_morph()),
      this.section("Measure", this.make_measure()),
      this.section("Show", this.make_toggles()),
      this.make_buttons(),
      this.make_small_print(),
    );
    app.on_change(() => this.update());
    this.update();
  }

  update() {
    for (const part of this.parts) part.update();
  }

  section(title, ...children) {
    return element("section", {}, element("h2", {}, title), ...children);
  }

  make_colours() {
    const { app } = this;
    const part = segmented("Colour by", colour_names, () => app.colour, (value) => app.set_colour(value));
    const error = part.buttons.find((button) => button.dataset.value === "error");
    error.disabled = !app.views.some((view) => view.has_error);
    if (error.disabled) error.title = "The file contains no measured error: build it with --evaluate";
    this.parts.push(part);
    return part.box;
  }

  make_morph() {
    const { app } = this;
    const slider = element("input", {
      type: "range", min: "0", max: "1", step: "0.001", id: "morph", "aria-label": "From the shape to its canonical form",
      oninput: () => {
        this.actions.stop_morph();
        app.set_morph(Number(slider.value));
      },
    });
    const play = element("button", { type: "button", class: "play", title: "Morph (space)", "aria-label": "Play the morph",
      onclick: () => this.actions.play_morph() }, "▶");
    slider.disabled = play.disabled = !app.views.some((view) => view.geometry.has_places);
    this.parts.push({ update: () => (slider.value = String(app.morph)) });
    return element("div", { class: "morph" }, play,
      element("div", {}, slider, element("div", { class: "ends" }, element("span", {}, "shape"),
        element("span", { title: "Embedding whose straight-line distances approximate the geodesic distances" }, "canonical form"))));
  }

  make_measure() {
    const { app } = this;
    const inputs = {};
    for (const name of ["source", "target"]) {
      inputs[name] = element("input", {
        type: "number", min: "0", step: "1", inputMode: "numeric", id: `${name}-vertex`,
        onchange: () => {
          const vertex = inputs[name].value === "" ? -1 : app.views[app.active].vertex_of_number(Number(inputs[name].value));
          if (name === "source" && vertex >= 0) app.set_source(app.active, vertex);
          if (name === "target") app.set_target(app.active, vertex);
          this.update();
        },
      });
    }
    const result = element("output", { id: "pair" });
    this.parts.push({ update: () => {
      const view = app.views[app.active];
      inputs.source.value = view.source >= 0 ? String(view.number_of(view.source)) : "";
      inputs.target.value = view.target >= 0 ? String(view.number_of(view.target)) : "";
      const unit = app.page.unit ? ` ${app.page.unit}` : "";
      result.textContent = view.source >= 0 && view.target >= 0 ? digits(view.pair_distance(), 8) + unit : "click two points";
      result.classList.toggle("waiting", view.target < 0);
    } });
    const field = (name, text) => element("label", { class: `vertex ${name}` }, element("span", {}, text), inputs[name]);
    return element("div", { class: "measure" }, field("source", "from vertex"), field("target", "to vertex"), result);
  }

  make_toggles() {
    const { app } = this;
    const toggles = [
      toggle(app, "isolines", "Isolines", "Lines of equal distance (I)"),
      toggle(app, "landmarks", "Landmarks", "The vertices between which distances were measured (L)"),
      toggle(app, "follow", "Follow pointer", "Show distances from the vertex under the pointer (F)"),
    ];
    if (app.views.filter((_, k) => app.alike(k)).length > 1)
      toggles.push(toggle(app, "link", "Link shapes", "Pick the corresponding point on similar shapes"));
    this.parts.push(...toggles);
    return element("div", { class: "toggles" }, ...toggles.map((one) => one.box));
  }

  make_buttons() {
    const button = (text, title, onclick) => element("button", { type: "button", title, onclick }, text);
    const { actions } = this;
    return element("div", { class: "buttons" },
      button("Picture", "Save as PNG (S)", actions.save_picture), button("Link", "Copy a link to this view (C)", actions.copy_link),
      button("Reset", "Reset the view (R)", actions.reset), button("Help", "Keys and gestures (?)", actions.help));
  }

  make_small_print() {
    const { app } = this;
    const spacing = app.views.map((view) => digits(Math.max(...view.matrix.spacing), 3)).join(", ");
    const drawn = app.views.filter((view) => view.geometry.drawn < view.vertices);
    return element("section", { class: "small" },
      element("p", {}, "All distances are computed in this page from P and W and equal those of ", element("code", {}, "geodome query"),
        `${agreement(app.views)} (near-field correction: below 1.3 landmark spacings, ${spacing}, blended with the distance in the flat space of the landmark distances and, nearer, with the straight-line distance; never below the latter).`),
      drawn.length > 0 && element("p", { id: "decimated" }, ...drawn.map((view) =>
        `${view.facts.name}: ${grouped(view.geometry.drawn)} of ${grouped(view.vertices)} vertices are drawn; all vertices can be queried by their index. `)),
      element("p", {}, `geodome ${app.page.version}`));
  }
}
