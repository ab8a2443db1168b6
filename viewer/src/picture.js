// The picture as a PNG: the shapes with their names and colour bars, as on the screen.
import { css, distance_colour, error_colour } from "./colours.js";
import { legend, ticks } from "./cells.js";

const ink = "#26241f", paper = "#f6f4f0";

function write_bar(context, view, cell, unit) {
  const width = Math.min(320, cell.width - 40), left = cell.x + (cell.width - width) / 2;
  const top = cell.y + cell.height - 52;
  context.fillStyle = ink;
  context.textAlign = "center";
  context.font = "12px system-ui, sans-serif";
  context.fillText(legend(view, unit), cell.x + cell.width / 2, top + 42, cell.width - 16);
  if (view.mode !== "distance" && view.mode !== "error") return;
  const colour = view.mode === "error" ? error_colour : distance_colour;
  for (let k = 0; k < width; ++k) {
    context.fillStyle = css(colour(k / (width - 1)));
    context.fillRect(left + k, top, 1.5, 10);
  }
  context.fillStyle = ink;
  for (const { share, text } of ticks(view)) context.fillText(text, left + share * width, top + 24);
}

export async function make_picture(stage, app) {
  stage.draw(); // what was drawn before this task may be gone from the canvas
  const ratio = stage.renderer.getPixelRatio();
  const picture = document.createElement("canvas");
  picture.width = stage.canvas.width;
  picture.height = stage.canvas.height;
  const context = picture.getContext("2d");
  context.fillStyle = paper;
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(stage.canvas, 0, 0);
  context.scale(ratio, ratio);
  app.views.forEach((view, k) => {
    const cell = stage.cells[k];
    context.fillStyle = ink;
    context.textAlign = "left";
    context.font = "600 14px system-ui, sans-serif";
    context.fillText(view.facts.name, cell.x + 16, cell.y + 26, cell.width - 32);
    write_bar(context, view, cell, app.page.unit);
  });
  return new Promise((resolve) => picture.toBlob(resolve, "image/png"));
}

export async function save_picture(stage, app) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await make_picture(stage, app));
  link.download = `${app.views.map((view) => view.facts.name).join("-").replace(/[^\w.-]+/g, "_").slice(0, 80)}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
