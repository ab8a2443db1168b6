// The page that `geodome compare` writes opens from the disk in a real browser: nothing is fetched, no plot is cut off,
// names in plots do not lie on each other, and the page fits a phone as well as a desk.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { chromium } = createRequire(resolve(root, "build/browser/package.json"))("playwright-core");
const program = resolve(root, "build/release/geodome");
const folder = resolve(root, "build/browser/compare");
const pictures = resolve(root, "build/browser/screenshots");
const sizes = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

let browser;
before(async () => {
  mkdirSync(pictures, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const shape = resolve(folder, "a <ring> & more.ply");
  execFileSync(program, ["shape", "torus", "--vertices", "600", "-o", shape, "--quiet"]);
  execFileSync(program, ["compare", shape, "--landmarks", "20,40,80,700", "--repeat", "2", "--rows", "50", "--quiet",
                         "-o", folder]);
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
           "--disable-sync", "--no-first-run"],
  });
});
after(() => browser?.close());

for (const [name, viewport] of Object.entries(sizes)) {
  test(`the page of a comparison on a ${name}`, async () => {
    const page = await browser.newPage({ viewport });
    const complaints = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) complaints.push(`request to ${request.url()}`);
    });
    await page.goto(pathToFileURL(resolve(folder, "index.html")).href);
    const plots = await page.$$eval("svg", (all) => all.map((plot) => {
      const view = plot.viewBox.baseVal;
      const outside = [...plot.querySelectorAll("text, circle, path, polyline")].filter((part) => {
        const box = part.getBBox();
        return !part.getAttribute("transform") &&
          (box.x < -1 || box.y < -1 || box.x + box.width > view.width + 1 || box.y + box.height > view.height + 1);
      });
      const names = [...plot.querySelectorAll('text[fill="#222222"]')].map((part) => part.getBBox());
      const overlaps = names.filter((a, i) => names.some((b, j) => j > i && Math.abs(a.y - b.y) < 12));
      return { outside: outside.map((part) => part.outerHTML.slice(0, 80)), overlaps: overlaps.length,
               names: names.length };
    }));
    assert.ok(plots.length >= 5, `only ${plots.length} plots`);
    for (const plot of plots) assert.deepEqual([plot.outside, plot.overlaps], [[], 0]);
    assert.ok(plots[0].names >= 3, "curves have names");
    const text = await page.textContent("body");
    assert.ok(text.includes("a <ring> & more"), "names are shown as they are");
    assert.ok(text.includes("Failed runs"), "700 landmarks are too many");
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
    assert.deepEqual(complaints, []);
    await page.screenshot({ path: resolve(pictures, `compare-${name}.png`), fullPage: true });
    await page.close();
  });
}
