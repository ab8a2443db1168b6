// Bundles the page into one HTML text and writes it as a C++ source that the program is linked with.
//
//   node viewer/bundle.mjs PACKAGES OUTPUT.cpp
//
// PACKAGES is the folder whose node_modules hold three and esbuild.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [packages, output] = process.argv.slice(2).map((path) => resolve(path));
const sources = resolve(dirname(fileURLToPath(import.meta.url)), "src");
const esbuild = createRequire(resolve(packages, "package.json"))("esbuild");

const bundle = (entry, loader = {}) =>
  esbuild.buildSync({
    entryPoints: [resolve(sources, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["chrome100", "firefox113", "safari16.4"],
    nodePaths: [resolve(packages, "node_modules")],
    legalComments: "inline",
    loader,
  }).outputFiles[0].text.trim();

const script = bundle("main.js", { ".glsl": "text" });
const style = bundle("style.css");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

// Only this script and this style may run, and nothing may be fetched, whatever else gets into the page.
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data: blob:; ` +
  "base-uri 'none'; form-action 'none'";
const parts = { policy, style, script };
const page = readFileSync(resolve(sources, "page.html"), "utf8")
  .replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);

const literal = (text) => `R"geodome_page(${text})geodome_page"`;
const pieces = page.match(/[^]{1,8000}/g).map(literal).join("\n");
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, `#include "support/view_template.h"

std::string_view geodome::cli::view_template() {
  static constexpr char page[] =
${pieces};
  return {page, sizeof page - 1};
}
`);
