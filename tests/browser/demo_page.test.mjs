// The page that `make demo` writes opens from the disk in a real browser: every picture is there, nothing is
// fetched from anywhere, and it fits a phone as well as a desk.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { chromium } = createRequire(resolve(root, "build/browser/package.json"))("playwright-core");
const page_url = pathToFileURL(resolve(root, "build/demo/index.html")).href;
const pictures = resolve(root, "build/browser/screenshots");
const sizes = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

let browser;
before(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
           "--disable-sync", "--no-first-run"],
  });
});
after(() => browser?.close());

for (const [name, viewport] of Object.entries(sizes)) {
  test(`the demo page on a ${name}`, async () => {
    const page = await browser.newPage({ viewport });
    const complaints = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) complaints.push(`request to ${request.url()}`);
    });
    await page.goto(page_url);
    const images = await page.$$eval("img", (all) => all.map((image) => image.naturalWidth));
    assert.ok(images.length >= 3, `only ${images.length} pictures`);
    assert.ok(images.every((width) => width > 100), `a picture did not load: ${images}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
    assert.deepEqual(complaints, []);
    await page.screenshot({ path: resolve(pictures, `demo-${name}.png`), fullPage: true });
    await page.close();
  });
}
