// Cost of a page of `geodome view` in a headless browser: reading it, a row of distances, a frame while rotating.
//
//   node bench/viewer.mjs PAGE.html [FRAMES]
//
// Chromium draws on the processor (SwiftShader), without a graphics card: compare rows of a table, not machines.
// Prints a Markdown table: the minimum wall-clock time of several repetitions and the CPU time of the browser's processes, which
// other work on the machine hardly affects.
import { file_url, launch, open_page } from "../tests/browser/support.mjs";
import { resolve } from "node:path";

const [html, frames = "30"] = process.argv.slice(2);
const browser = await launch();
const session = await browser.newBrowserCDPSession();

async function cpu_seconds() {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

// Runs `code` in the page, which returns milliseconds of `count` repetitions.
async function measure(page, name, count, code) {
  const before = await cpu_seconds();
  const times = await page.evaluate(code, count);
  const spent = (1000 * (await cpu_seconds() - before)) / count;
  console.log(`| ${name} | ${Math.min(...times).toFixed(1)} ms | ${spent.toFixed(1)} ms |`);
}

// In a browser that runs: the first time includes its own start.
const openings = [];
let page;
for (let k = 0; k < 6; ++k) {
  const start = await cpu_seconds(), opened = performance.now();
  const one = await open_page(browser, file_url(resolve(html)));
  openings.push({ waited: performance.now() - opened, spent: 1000 * (await cpu_seconds() - start) });
  if (k < 5) await one.close();
  else page = one.page;
}
const least = (name) => Math.min(...openings.slice(1).map((one) => one[name])).toFixed(0);
console.log("| | minimum | CPU time |\n|---|---|---|");
console.log(`| to the first picture | ${least("waited")} ms | ${least("spent")} ms |`);
const shapes = await page.evaluate(() => window.geodome.vertices());
for (const shape of shapes.keys())
  await measure(page, `row and colours, ${shapes[shape]} vertices`, 20,
    new Function("count", `return window.geodome.row_times(${shape}, count)`));
const count = Number(frames);
await measure(page, "frame", count, (count) => window.geodome.frame_times(count));
await page.keyboard.press("i");
await measure(page, "frame without isolines", count, (count) => window.geodome.frame_times(count));
await page.keyboard.press("2");
await measure(page, "frame, canonical colours", count, (count) => window.geodome.frame_times(count));
await browser.close();
