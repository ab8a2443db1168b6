// The view as part of the address: a link, or a reload, brings it back.
import { colourings } from "./app.js";

const round = (x) => Number(x.toPrecision(5));

export function to_hash(app, stage) {
  const parts = new URLSearchParams();
  // In units of the distance at which everything fits, which differs from screen to screen.
  const { target } = stage.controls;
  const offset = stage.camera.position.clone().sub(target).divideScalar(stage.fit_distance);
  parts.set("camera", [...offset.toArray(), ...target.toArray()].map(round).join(","));
  parts.set("from", app.views.map((view) => view.source).join(","));
  if (app.views.some((view) => view.target >= 0)) parts.set("to", app.views.map((view) => view.target).join(","));
  if (app.colour !== "distance") parts.set("colour", app.colour);
  if (app.morph > 0) parts.set("morph", String(round(app.morph)));
  if (!app.isolines) parts.set("isolines", "0");
  if (app.landmarks) parts.set("landmarks", "1");
  if (!app.link) parts.set("link", "0");
  return `#${parts.toString().replaceAll("%2C", ",")}`;
}

const numbers = (text) => (text ?? "").split(",").map(Number);

// Ignores what makes no sense: an address can be typed by anyone.
export function from_hash(hash, app, stage) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const camera = numbers(parts.get("camera"));
  if (camera.length === 6 && camera.every(Number.isFinite)) {
    stage.controls.target.fromArray(camera, 3);
    stage.camera.position.fromArray(camera).multiplyScalar(stage.fit_distance).add(stage.controls.target);
    stage.controls.update();
  }
  const vertex_or = (view, text) => {
    const vertex = Number(text);
    return Number.isInteger(vertex) && vertex >= 0 && vertex < view.vertices ? vertex : -1;
  };
  const from = parts.get("from")?.split(",") ?? [], to = parts.get("to")?.split(",") ?? [];
  app.link = parts.get("link") !== "0";
  app.views.forEach((view, k) => {
    const source = vertex_or(view, from[k] ?? NaN);
    if (source >= 0) view.set_source(source);
    view.set_target(vertex_or(view, to[k] ?? NaN));
  });
  if (colourings.includes(parts.get("colour"))) app.colour = parts.get("colour");
  if (app.colour === "error" && !app.views.some((view) => view.has_error)) app.colour = "distance";
  app.isolines = parts.get("isolines") !== "0";
  app.set_option("landmarks", parts.get("landmarks") === "1");
  const morph = Number(parts.get("morph") ?? 0);
  app.set_morph(Number.isFinite(morph) ? morph : 0);
  app.tell("points");
}

// Keeps the address up to date, a little after changes, and follows it when it is changed by hand.
export function keep_hash(app, stage) {
  let timer, written = "";
  const save = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      written = to_hash(app, stage);
      history.replaceState(null, "", written);
    }, 250);
  };
  app.on_change(save);
  stage.controls.addEventListener("change", save);
  window.addEventListener("hashchange", () => {
    if (location.hash !== written) from_hash(location.hash, app, stage);
  });
}
