// Pages of `geodome view` in a real browser: the numbers are the command line's, the pictures answer to clicks, and
// nothing is asked of anyone.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { file_url, geodome, launch, open_page, program_path, root, screenshot, sizes, work } from "./support.mjs";

const at = (name) => resolve(work, name);
let browser, single, pair;

function build(shape, name, ...options) {
  geodome("build", at(shape), "-o", at(`${name}.geodome`), ...options);
  return at(`${name}.geodome`);
}

function view(name, ...options) {
  geodome("view", ...options, "--output", at(`${name}.html`));
  return file_url(at(`${name}.html`));
}

before(async () => {
  browser = await launch();
  for (const pose of [0, 2])
    geodome("shape", "creature", "--vertices", "3000", "--pose", String(pose), "-o", at(`pose${pose}.ply`));
  build("pose0.ply", "pose0", "--method", "sbha", "--landmarks", "150", "--evaluate", "20"); // the page holds it as it is
  build("pose2.ply", "pose2", "--landmarks", "150", "--precision", "uint16");
  single = view("single", at("pose0.geodome"), "--unit", "mm");
  pair = view("pair", at("pose0.geodome"), at("pose2.geodome"));
});
after(() => browser?.close());

const relative = (a, b) => Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), 1e-300);

function assert_close(got, wanted, tolerance, what) {
  assert.equal(got.length, wanted.length, what);
  for (let k = 0; k < got.length; ++k)
    if (got[k] !== wanted[k] && !(relative(got[k], wanted[k]) <= tolerance))
      assert.fail(`${what}, number ${k}: ${got[k]} instead of ${wanted[k]}`);
}

// Drawn vertices that are in front, some way from the pins and each other, with their places on the canvas.
const visible_vertices = (page, shape, count) =>
  page.evaluate(([shape, count]) => {
    const found = [];
    const origin = window.geodome.origin(shape);
    for (let k = 1; k < 1000 && found.length < count; ++k) {
      const vertex = origin[Math.floor((k * 0.6180339887 * origin.length) % origin.length)];
      if (!window.geodome.visible(shape, vertex)) continue;
      const exact = window.geodome.place_on_canvas(shape, vertex);
      const place = { left: Math.round(exact.left), top: Math.round(exact.top) };
      const pins = window.geodome.state().sources.map((v, s) => window.geodome.place_on_canvas(s, v)).concat(found);
      if (pins.every((pin) => Math.hypot(pin.left - place.left, pin.top - place.top) > 50)) found.push({ vertex, ...place });
    }
    return found;
  }, [shape, count]);

const click = async (page, { left, top }) => {
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.click(box.x + left, box.y + top);
};

const distances_of = (file, vertex, count) => {
  const pairs = Array.from({ length: count }, (_, k) => [String(vertex), String(k)]).flat();
  return geodome("query", file, "--near", "blend", ...pairs).distances.map((d) => d ?? Infinity);
};

test("distances in the page are the command line's", async () => {
  const { page, complaints, close } = await open_page(browser, pair);
  for (const [shape, name] of ["pose0", "pose2"].entries())
    for (const vertex of [0, 1234, 2901]) {
      const got = await page.evaluate(([shape, vertex]) => window.geodome.row(shape, vertex), [shape, vertex]);
      assert_close(got, distances_of(at(`${name}.geodome`), vertex, got.length), 1e-9, `${name}, row ${vertex}`);
      assert.equal(got[vertex], 0);
    }
  assert.deepEqual(complaints, []);
  await close();
});

// Two bent grids of size × size vertices that do not touch, and a vertex of no face.
function write_two_sheets(path, size) {
  const vertices = [], faces = [];
  for (const sheet of [0, 1]) {
    const first = vertices.length + 1;
    for (let k = 0; k < size * size; ++k) {
      const x = k % size, y = Math.floor(k / size);
      vertices.push(`v ${x + 0.3 * Math.sin(y)} ${y} ${3 * Math.sin(x / 5) + 20 * sheet}`);
      const at = first + k;
      if (x + 1 < size && y + 1 < size) faces.push(`f ${at} ${at + 1} ${at + size}`, `f ${at + 1} ${at + size + 1} ${at + size}`);
    }
  }
  vertices.push("v 1 2 3");
  writeFileSync(path, [...vertices, ...faces, ""].join("\n"));
}

test("distances from coded cells are the command line's, to the rounding of positions", async () => {
  write_two_sheets(at("sheets.obj"), 30);
  build("pose0.ply", "coded", "--landmarks", "150", "--method", "cell", "--evaluate", "10");
  build("pose0.ply", "coded bare", "--landmarks", "150", "--method", "cell", "--no-shape");
  build("sheets.obj", "sheets", "--landmarks", "120", "--method", "cell");
  const names = ["coded", "coded bare", "sheets"];
  const url = view("coded", ...names.map((name) => at(`${name}.geodome`)));
  const { page, complaints, close } = await open_page(browser, url);
  for (const [shape, name] of names.entries()) {
    const rounding = await page.evaluate((shape) => window.geodome.rounding(shape), shape);
    assert.equal(rounding > 0, name !== "coded bare", name);
    for (const vertex of [0, 777, 1500, 1799]) {
      const got = await page.evaluate(([shape, vertex]) => window.geodome.row(shape, vertex), [shape, vertex]);
      const wanted = distances_of(at(`${name}.geodome`), vertex, got.length);
      if (rounding === 0) assert_close(got, wanted, 1e-9, `${name}, row ${vertex}`);
      let equal = 0;
      for (let k = 0; k < got.length; ++k) {
        if (got[k] === wanted[k] || relative(got[k], wanted[k]) <= 1e-9) ++equal;
        else assert.ok(Math.abs(got[k] - wanted[k]) <= rounding, `${name}, ${vertex} to ${k}: ${got[k]} instead of ${wanted[k]}`);
      }
      assert.ok(equal > 0.6 * got.length, `${name}, row ${vertex}: only ${equal} of ${got.length} are equal`);
    }
  }
  assert.ok((await page.evaluate(() => window.geodome.row(2, 0))).slice(900).every((d) => d === Infinity), "sheets touch");
  const [rounding, places] = await page.evaluate(() => [window.geodome.rounding(0), window.geodome.places(0)]);
  const extents = [0, 1, 2].map((axis) => places.filter((_, k) => k % 3 === axis))
    .map((all) => all.reduce((a, b) => Math.max(a, b)) - all.reduce((a, b) => Math.min(a, b)));
  assert.ok(rounding < 1.6e-5 * Math.hypot(...extents), `rounded to ${rounding}`);
  await page.keyboard.press("3");
  await page.waitForTimeout(200);
  await screenshot(page, "view-coded");
  const older = await open_page(browser, url, { before: () => delete Uint8Array.fromBase64 });
  const row = () => window.geodome.row(0, 777);
  assert.deepEqual(await older.page.evaluate(row), await page.evaluate(row), "in a browser of 2023");
  await older.close();
  assert.deepEqual(complaints, []);
  await close();
});

test("a page of coded cells is small", () => {
  view("small", at("coded.geodome"), "--error-rows", "0");
  view("large", at("pose0.geodome"), "--error-rows", "0");
  const arrays = (name) => readFileSync(at(`${name}.html`), "latin1").matchAll(/id="geodome-array-\d+">([^<]*)</g);
  const bytes = ["small", "large"].map((name) => [...arrays(name)].reduce((sum, [, text]) => sum + text.length, 0));
  assert.ok(bytes[0] < 0.5 * bytes[1], `${bytes}`);
});

// Of the path that is drawn on the first shape.
const path_length = (page) =>
  page.evaluate(() => {
    const places = window.geodome.places(0), path = window.geodome.path(0);
    const at = path.map(({ a, b, part }) => [0, 1, 2].map((k) => places[3 * a + k] + part * (places[3 * b + k] - places[3 * a + k])));
    return at.slice(1).reduce((sum, p, k) => sum + Math.hypot(p[0] - at[k][0], p[1] - at[k][1], p[2] - at[k][2]), 0);
  });

test("a click changes the colours, a second one measures the pair and draws the path", async () => {
  const { page, complaints, close } = await open_page(browser, single);
  const before_click = await page.evaluate(() => window.geodome.values(0));
  const [first, second, third] = await visible_vertices(page, 0, 3);
  const picture_before = await page.locator("#canvas").screenshot();
  await click(page, first);
  const state = await page.evaluate(() => window.geodome.state());
  assert.equal(state.sources[0], first.vertex);
  const values = await page.evaluate(() => window.geodome.values(0));
  assert.notDeepEqual(values, before_click);
  assert.ok(!picture_before.equals(await page.locator("#canvas").screenshot()), "the picture is the same");
  const wanted = distances_of(at("pose0.geodome"), first.vertex, values.length);
  assert_close(values, wanted.map((d) => Math.fround(d / state.ranges[0])), 1e-6, "colours");

  await click(page, second);
  const measured = await page.evaluate(() => window.geodome.state());
  assert.deepEqual([measured.sources[0], measured.targets[0]], [first.vertex, second.vertex]);
  const [distance] = geodome("query", at("pose0.geodome"), "--near", "blend", String(first.vertex), String(second.vertex)).distances;
  assert.ok(relative(measured.pairs[0], distance) < 1e-9, `${measured.pairs[0]} instead of ${distance}`);
  const length = await path_length(page);
  assert.ok(relative(length, distance) < 0.05, `a path of length ${length} for ${distance}`);
  const shown = await page.locator("#pair").textContent();
  assert.match(shown, / mm$/);
  assert.ok(relative(parseFloat(shown), distance) < 1e-7, `${shown} is shown for ${distance}`);
  await screenshot(page, "view-measured");

  await click(page, third);
  const again = await page.evaluate(() => window.geodome.state());
  assert.deepEqual([again.sources[0], again.targets[0]], [third.vertex, -1]);
  assert.deepEqual(complaints, []);
  await close();
});

test("dragging a pin takes the distances along", async () => {
  const { page, complaints, close } = await open_page(browser, single);
  const [first, second] = await visible_vertices(page, 0, 2);
  await click(page, first);
  const box = await page.locator("#canvas").boundingBox();
  const before_drag = await page.evaluate(() => window.geodome.place_on_canvas(0, 5));
  await page.mouse.move(box.x + first.left, box.y + first.top);
  await page.mouse.down();
  await page.mouse.move(box.x + second.left, box.y + second.top, { steps: 8 });
  await page.mouse.up();
  const state = await page.evaluate(() => window.geodome.state());
  assert.equal(state.sources[0], second.vertex);
  const after_drag = await page.evaluate(() => window.geodome.place_on_canvas(0, 5));
  assert.ok(Math.hypot(after_drag.left - before_drag.left, after_drag.top - before_drag.top) < 0.01, "the camera moved");
  assert.deepEqual(complaints, []);
  await close();
});

test("the morph ends at the canonical form", async () => {
  geodome("embed", at("pose0.geodome"), "-o", at("form.csv"), "--stress-rows", "0");
  const form = execFileSync("cat", [at("form.csv")], { encoding: "utf8" }).trim().split("\n").slice(1)
    .map((line) => line.split(",").map(Number));
  const { page, complaints, close } = await open_page(browser, single);
  await page.locator("#morph").fill("1");
  const places = await page.evaluate(() => window.geodome.places(0));
  assert.equal(places.length, 3 * form.length);
  // The same up to a motion: straight distances are equal.
  const straight = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
  const place = (v) => places.slice(3 * v, 3 * v + 3);
  let extent = 0, off = 0;
  for (let k = 0; k < 2000; ++k) {
    const a = (k * 7919) % form.length, b = (k * 104729 + 13) % form.length;
    extent = Math.max(extent, straight(form[a], form[b]));
    off = Math.max(off, Math.abs(straight(form[a], form[b]) - straight(place(a), place(b))));
  }
  assert.ok(off < 1e-5 * extent, `off by ${off} of ${extent}`);
  await page.waitForTimeout(200);
  await screenshot(page, "view-form");
  assert.deepEqual(complaints, []);
  await close();
});

test("every colouring, by button and by key", async () => {
  const { page, complaints, close } = await open_page(browser, single);
  const tints = [];
  for (const [key, colour] of [["2", "form"], ["3", "cells"]]) {
    await page.keyboard.press(key);
    assert.equal((await page.evaluate(() => window.geodome.state())).colour, colour);
    tints.push(await page.evaluate(() => window.geodome.tints(0)));
    await screenshot(page, `view-${colour}`);
  }
  assert.notDeepEqual(tints[0], tints[1]);
  await page.getByRole("button", { name: "Error" }).click();
  const errors = await page.evaluate(() => window.geodome.values(0));
  assert.ok(Math.max(...errors) > 0 && Math.min(...errors) >= 0);
  await page.keyboard.press("l");
  assert.equal((await page.evaluate(() => window.geodome.state())).landmarks, true);
  await page.waitForTimeout(100);
  await screenshot(page, "view-error");
  assert.deepEqual(complaints, []);
  await close();
});

test("poses share the picked vertex, other shapes like them the nearest by form", async () => {
  geodome("shape", "creature", "--vertices", "5000", "--pose", "3", "-o", at("finer.ply"));
  geodome("shape", "torus", "--vertices", "1500", "-o", at("torus.ply"));
  build("finer.ply", "finer", "--landmarks", "200");
  build("torus.ply", "torus", "--landmarks", "100");
  const url = view("several", at("pose0.geodome"), at("pose2.geodome"), at("finer.geodome"), at("torus.geodome"));
  const { page, complaints, close } = await open_page(browser, url);
  const torus = (await page.evaluate(() => window.geodome.state())).sources[3];
  const [picked] = await visible_vertices(page, 0, 1);
  await click(page, picked);
  const { sources } = await page.evaluate(() => window.geodome.state());
  assert.deepEqual(sources.slice(0, 2), [picked.vertex, picked.vertex]);
  assert.equal(sources[3], torus, "a torus is no creature");
  // Distances from the partner to the partners of other vertices are alike.
  const apart = await page.evaluate(([from, to]) => {
    const row = window.geodome.row(0, from);
    window.geodome.set_source(0, to);
    const partner = window.geodome.state().sources[2];
    window.geodome.set_source(0, from);
    return [row[to], window.geodome.row(2, window.geodome.state().sources[2])[partner], Math.max(...row)];
  }, [picked.vertex, (picked.vertex + 1500) % 3000]);
  assert.ok(Math.abs(apart[0] - apart[1]) < 0.2 * apart[2], `${apart}`);
  await screenshot(page, "view-several");
  assert.deepEqual(complaints, []);
  await close();
});

test("the address brings the view back", async () => {
  const first = await open_page(browser, pair);
  await first.page.evaluate(() => window.geodome.set_source(1, 77));
  await first.page.locator("#target-vertex").fill("1000");
  await first.page.locator("#target-vertex").press("Enter");
  await first.page.keyboard.press("Tab");
  await first.page.locator("#canvas").focus();
  for (const key of ["2", "l", "ArrowLeft", "+"]) await first.page.keyboard.press(key);
  await first.page.evaluate(() => window.geodome.set_morph(0.4));
  await first.page.waitForFunction(() => location.hash.includes("morph=0.4"));
  await first.page.waitForTimeout(600);
  const url = first.page.url();
  const wanted = await first.page.evaluate(() => window.geodome.state());
  const place = await first.page.evaluate(() => window.geodome.place_on_canvas(0, 5));
  await first.close();
  const { page, complaints, close } = await open_page(browser, url);
  const state = await page.evaluate(() => window.geodome.state());
  for (const key of ["sources", "targets", "colour", "morph", "landmarks"]) assert.deepEqual(state[key], wanted[key], key);
  const restored = await page.evaluate(() => window.geodome.place_on_canvas(0, 5));
  assert.ok(Math.hypot(place.left - restored.left, place.top - restored.top) < 1, "the camera is elsewhere");
  await close();
  const broken = await open_page(browser, `${pair}#camera=1,x&from=-3,1e9&morph=NaN&colour=%3Cscript%3E&to=77`);
  assert.ok((await broken.page.evaluate(() => window.geodome.state())).sources.every((v) => v >= 0));
  assert.deepEqual(complaints.concat(broken.complaints), []);
  await broken.close();
});

test("a shape too large to draw is drawn coarser, and answers in full", async () => {
  const url = view("coarse", at("pose0.geodome"), "--draw", "1000");
  const { page, complaints, close } = await open_page(browser, url);
  const origin = await page.evaluate(() => window.geodome.origin(0));
  assert.ok(origin.length <= 1000);
  assert.match(await page.locator("#decimated").textContent(), /of 3,000 vertices are drawn/);
  const undrawn = Array.from({ length: 3000 }, (_, v) => v).find((v) => !origin.includes(v));
  const row = await page.evaluate((vertex) => window.geodome.row(0, vertex), undrawn);
  assert_close(row, distances_of(at("pose0.geodome"), undrawn, 3000), 1e-9, "row");
  const [picked] = await visible_vertices(page, 0, 1);
  await click(page, picked);
  const { sources, ranges } = await page.evaluate(() => window.geodome.state());
  assert.deepEqual(sources, [picked.vertex]);
  const values = await page.evaluate(() => window.geodome.values(0));
  const full = distances_of(at("pose0.geodome"), picked.vertex, 3000);
  assert_close(values, origin.map((v) => Math.fround(full[v] / ranges[0])), 1e-6, "colours");
  await screenshot(page, "view-coarse");
  assert.deepEqual(complaints, []);
  await close();
});

test("shapes fill the stage, and no cell is empty", async () => {
  const url = view("three", at("pose0.geodome"), at("pose2.geodome"), at("coded.geodome"));
  for (const viewport of [sizes.desk, { width: 1900, height: 700 }]) {
    const { page, close } = await open_page(browser, url, { viewport });
    const stage = await page.locator("#stage").boundingBox();
    const cells = await Promise.all((await page.locator(".cell").all()).map((cell) => cell.boundingBox()));
    const area = ({ width, height }) => width * height;
    assert.ok(Math.abs(cells.reduce((sum, cell) => sum + area(cell), 0) / area(stage) - 1) < 0.01);
    const filled = await Promise.all(cells.map(async (cell, shape) => {
      const places = await page.evaluate((shape) =>
        window.geodome.origin(shape).map((vertex) => window.geodome.place_on_canvas(shape, vertex)), shape);
      const span = (values) => Math.max(...values) - Math.min(...values);
      for (const { left, top } of places)
        assert.ok(left > cell.x - stage.x && left < cell.x - stage.x + cell.width && top > cell.y - stage.y && top < cell.y - stage.y + cell.height);
      return Math.max(span(places.map(({ left }) => left)) / cell.width, span(places.map(({ top }) => top)) / cell.height);
    }));
    assert.ok(Math.max(...filled) > 0.7, filled.join());
    await close();
  }
});

for (const [name, viewport] of Object.entries(sizes))
  test(`the layout holds on a ${name}`, async () => {
    const { page, complaints, close } = await open_page(browser, pair, { viewport, hasTouch: name === "phone", isMobile: name === "phone" });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
    const canvas = await page.locator("#canvas").boundingBox();
    assert.ok(canvas.height > 0.45 * viewport.height && canvas.width > 0.55 * viewport.width, JSON.stringify(canvas));
    for (const id of ["#morph", "#pair"]) assert.ok((await page.locator(id).boundingBox()).width > 100, id);
    const clipped = await page.$$eval("#panel *", (all) => all.filter((one) => one.scrollWidth > one.clientWidth + 2 && one.clientWidth > 0)
      .map((one) => `${one.tagName}.${one.className}`).filter((one) => !/INPUT|SPAN|EM|B\./.test(one)));
    assert.deepEqual(clipped, []);
    if (name === "phone") {
      const [picked] = await visible_vertices(page, 0, 1);
      await page.touchscreen.tap(canvas.x + picked.left, canvas.y + picked.top);
      assert.equal((await page.evaluate(() => window.geodome.state())).sources[0], picked.vertex);
    }
    await screenshot(page, `view-${name}`);
    if (name === "phone") await screenshot(page, "view-phone-whole", { fullPage: true });
    assert.deepEqual(complaints, []);
    await close();
  });

test("names cannot get into the page as markup", async () => {
  const name = `</script><script>window.broken=1<!--"'&<img src=x onerror=window.broken=2>`.replaceAll("/", "\u2215");
  const file = at(`${name}.geodome`);
  copyFileSync(at("pose0.geodome"), file);
  const url = view("names", file, "--unit", "</script><script>window.broken=3</script>\"'<b>");
  const { page, complaints, close } = await open_page(browser, url);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator(".cell header b").textContent(), name);
  assert.equal(await page.locator("img").count(), 0);
  assert.match(await page.locator(".legend").textContent(), /· <\/script><script>window\.broken=3/);
  assert.deepEqual(complaints, []);
  await close();
});

test("graphs, point clouds and files without a shape can be seen too", async () => {
  geodome("build", at("pose0.ply"), "-o", at("bare.geodome"), "--landmarks", "100", "--no-shape");
  geodome("shape", "swiss-roll", "--vertices", "1500", "-o", at("roll.ply"));
  build("roll.ply", "roll", "--landmarks", "100");
  const url = view("others", at("bare.geodome"), at("roll.geodome"));
  const { page, complaints, close } = await open_page(browser, url);
  const [picked] = await visible_vertices(page, 0, 1);
  await click(page, picked);
  const got = await page.evaluate((vertex) => window.geodome.row(0, vertex), picked.vertex);
  assert_close(got, distances_of(at("bare.geodome"), picked.vertex, got.length), 1e-9, "row");
  await screenshot(page, "view-others");
  assert.deepEqual(complaints, []);
  await close();
});

test("the picture is saved with its colour bar", async () => {
  const { page, complaints, close } = await open_page(browser, single);
  const download = page.waitForEvent("download");
  await page.keyboard.press("s");
  const saved = await download;
  assert.equal(saved.suggestedFilename(), "pose0.png");
  await saved.saveAs(resolve(root, "build/browser/screenshots/saved.png"));
  assert.deepEqual(complaints, []);
  await close();
});

test("the served page is the same, and ends with the program", async () => {
  const { spawn } = await import("node:child_process");
  const server = spawn(program_path, ["view", at("pose0.geodome"), "--json"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    let said = "";
    for await (const part of server.stdout) {
      said += part;
      if (said.includes("\n}")) break;
    }
    const { url } = JSON.parse(said);
    const { page, complaints, close } = await open_page(browser, url, { own: [url] });
    const got = await page.evaluate(() => window.geodome.row(0, 5));
    assert_close(got, distances_of(at("pose0.geodome"), 5, got.length), 1e-9, "row");
    assert.deepEqual(complaints, []);
    await close();
    const ended = new Promise((done) => server.on("exit", (code) => done(code)));
    server.kill("SIGINT");
    assert.equal(await ended, 130);
  } finally {
    server.kill("SIGKILL");
  }
});
