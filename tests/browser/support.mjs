// What the browser tests share: the program, a real browser, and pages that complain about anything that goes wrong.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { chromium } = createRequire(resolve(root, "build/browser/package.json"))("playwright-core");
const program = resolve(root, "build/release/geodome");
export const work = resolve(root, "build/browser/work");
const pictures = resolve(root, "build/browser/screenshots");
mkdirSync(work, { recursive: true });
mkdirSync(pictures, { recursive: true });

export const sizes = { desk: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } };

// Runs `geodome ARGUMENTS --json`, throws if it fails.
export const geodome = (...args) =>
  JSON.parse(execFileSync(program, [...args, "--json"], { encoding: "utf8", maxBuffer: 1 << 30 }));
export const program_path = program;

export const launch = () =>
  chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
           "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
  });

// A page at an address, ready, with a list of everything that should not have happened. `own` are addresses that may
// be asked for; anything else but the disk and the page itself is refused and written down. `before` runs in the page
// before its own script.
export async function open_page(browser, url, { viewport = sizes.desk, own = [], before = () => {}, ...options } = {}) {
  const context = await browser.newContext({ viewport, ...options });
  const page = await context.newPage();
  await page.addInitScript(before);
  page.setDefaultTimeout(120000);
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await context.route("**", (route) => {
    const asked = route.request().url();
    if (/^(file|data|blob):/.test(asked) || own.includes(asked)) return route.continue();
    complaints.push(`request to ${asked}`);
    return route.abort();
  });
  await page.goto(url);
  await page.waitForFunction(() => window.geodome?.ready || document.getElementById("status")?.dataset.failed, undefined,
    { timeout: 120000 });
  if (await page.evaluate(() => !window.geodome)) throw new Error(`the page failed: ${complaints.join("; ")}`);
  return { page, complaints, close: () => context.close() };
}

export const file_url = (path) => pathToFileURL(path).href;
export const screenshot = (page, name, options = {}) => page.screenshot({ path: resolve(pictures, `${name}.png`), ...options });
