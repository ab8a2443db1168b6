// The page that `make demo` writes opens from the disk: a shape of over 100,000 vertices and two poses, nothing is
// fetched from anywhere, and it fits a phone as well as a desk.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { file_url, launch, open_page, root, screenshot, sizes } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

for (const [name, viewport] of Object.entries(sizes))
  test(`the demo page on a ${name}`, async () => {
    const { page, complaints, close } = await open_page(browser, file_url(resolve(root, "build/demo/index.html")), { viewport });
    const sizes_shown = await page.evaluate(() => window.geodome.vertices());
    assert.equal(sizes_shown.length, 3);
    assert.ok(Math.max(...sizes_shown) >= 100000, `the largest shape has ${Math.max(...sizes_shown)} vertices`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
    await screenshot(page, `demo-${name}`);
    await page.evaluate(() => window.geodome.set_morph(1));
    await page.waitForTimeout(200);
    await screenshot(page, `demo-${name}-forms`);
    assert.deepEqual(complaints, []);
    await close();
  });
