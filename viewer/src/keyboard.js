// Keys, and the sheet that explains them.
import { colourings } from "./app.js";
import { element } from "./elements.js";

const turn = 0.12; // radians

const help = [
  ["Click", "show distances from a point; a second click measures the pair and draws the path"],
  ["Drag a pin", "move the pin; Shift and drag moves the first pin to the pointer"],
  ["Drag, wheel, right drag", "rotate, zoom, pan; on a phone one finger rotates, two zoom and pan"],
  ["1 2 3 4", "colour by distance, canonical form, cells, error"],
  ["Space or M", "morph into the canonical form and back"],
  ["I  L  F", "isolines, landmarks, follow the pointer"],
  ["Arrows  + −", "rotate and zoom"],
  ["S  C  R", "save a picture, copy a link, reset"],
  ["Esc", "remove the second point"],
];

export function make_help() {
  const dialog = element("dialog", { id: "help", "aria-label": "Help" },
    element("h2", {}, "Keys and gestures"),
    element("dl", {}, ...help.flatMap(([keys, meaning]) => [element("dt", {}, keys), element("dd", {}, meaning)])),
    element("form", { method: "dialog" }, element("button", {}, "Close")));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return dialog;
}

export function listen_to_keys(app, stage, actions) {
  const keys = {
    " ": actions.play_morph, m: actions.play_morph, s: actions.save_picture, c: actions.copy_link, r: actions.reset,
    "?": actions.help, Escape: () => app.clear_target(),
    i: () => app.set_option("isolines", !app.isolines),
    l: () => app.set_option("landmarks", !app.landmarks),
    f: () => app.set_option("follow", !app.follow),
    ArrowLeft: () => stage.turn(-turn, 0), ArrowRight: () => stage.turn(turn, 0),
    ArrowUp: () => stage.turn(0, turn), ArrowDown: () => stage.turn(0, -turn),
    "+": () => stage.zoom(0.88), "=": () => stage.zoom(0.88), "-": () => stage.zoom(1 / 0.88),
  };
  colourings.forEach((colour, k) => (keys[String(k + 1)] = () => app.set_colour(colour)));
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    // Sliders, fields and buttons use keys themselves.
    if (target.closest?.("input, dialog") || (event.key === " " && target.closest?.("button"))) return;
    const act = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
