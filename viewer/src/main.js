// Reads the data of the page, draws the shapes and sets up the controls.
import { App } from "./app.js";
import { CellLabels } from "./cells.js";
import { read_page } from "./data.js";
import { from_hash, keep_hash } from "./hash.js";
import { make_hook } from "./hook.js";
import { listen_to_keys, make_help } from "./keyboard.js";
import { Panel } from "./panel.js";
import { save_picture } from "./picture.js";
import { listen_to_pointer } from "./pointer.js";
import { ShapeView } from "./shape_view.js";
import { Stage } from "./stage.js";

const by_id = (id) => document.getElementById(id);
const say = (text) => (by_id("status").textContent = text);

// Lets the browser show what was said, now and then.
let last_breath = performance.now();
async function breathe() {
  if (performance.now() - last_breath < 100) return;
  await new Promise((resolve) => setTimeout(resolve));
  last_breath = performance.now();
}

// Morphs to the other end, smoothly.
function make_player(app) {
  const seconds = 2.2;
  let frame;
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = undefined;
  };
  const play = () => {
    if (frame !== undefined) return stop();
    const from = app.morph, to = from > 0.5 ? 0 : 1, start = performance.now();
    const step = (now) => {
      const share = Math.min(1, Math.max(0, (now - start) / (1000 * seconds * Math.abs(to - from))));
      app.set_morph(from + (to - from) * share * share * (3 - 2 * share));
      frame = share < 1 ? requestAnimationFrame(step) : undefined;
    };
    frame = requestAnimationFrame(step);
  };
  return { play, stop };
}

function make_hint(app) {
  const hint = by_id("hint");
  const texts = ["Click a point to show the distances from it", "Click a second point to measure the pair"];
  const first = app.views.map((view) => view.source).join();
  const update = () => {
    const moved = app.views.map((view) => view.source).join() !== first;
    const measured = app.views.some((view) => view.target >= 0);
    hint.textContent = measured ? "" : texts[moved ? 1 : 0];
    hint.classList.toggle("gone", measured);
  };
  app.on_change((what) => what === "points" && update());
  update();
}

async function start() {
  const page = await read_page(async (share) => {
    say(`Loading… ${Math.round(100 * share)} %`);
    await breathe();
  });
  document.title = `${page.shapes.map((shape) => shape.facts.name).join(", ")} – geodome`;
  const views = page.shapes.map((shape) => new ShapeView(shape));
  const app = new App(page, views);
  const stage = new Stage(by_id("canvas"), views);
  const player = make_player(app), help = make_help();
  const actions = {
    play_morph: player.play,
    stop_morph: player.stop,
    save_picture: () => save_picture(stage, app),
    copy_link: () => navigator.clipboard?.writeText(location.href).then(() => say("Link copied"), () => say(location.href)),
    reset: () => {
      player.stop();
      stage.reset_camera();
      app.set_morph(0);
      app.clear_target();
      app.set_colour("distance");
    },
    help: () => help.showModal(),
  };
  app.on_change(() => stage.request());
  const labels = new CellLabels(by_id("cells"), app, stage);
  new Panel(by_id("panel"), app, actions);
  listen_to_pointer(stage, app, labels);
  listen_to_keys(app, stage, actions);
  make_hint(app);
  if (location.hash.length > 1) from_hash(location.hash, app, stage);
  keep_hash(app, stage);
  stage.request();
  say("");
  window.geodome = make_hook(app, stage, actions);
}

start().catch((error) => {
  say(`The page could not be loaded: ${error.message}`);
  by_id("status").dataset.failed = "yes";
  throw error;
});
