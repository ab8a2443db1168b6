// Properties of the matrix of each shape, and a one-sentence summary.
import { element } from "./elements.js";
import { byte_count, duration, grouped, percent } from "./numbers.js";

function large(number) {
  for (const [size, name] of [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"]])
    if (number >= size) return `${Number((number / size).toPrecision(3))} ${name}`;
  return grouped(number);
}

function sentence(parts) {
  const text = parts.filter(Boolean).join("; ");
  return text && `${text[0].toUpperCase()}${text.slice(1)}.`;
}

// Of the largest shape.
export function make_headline(page) {
  const facts = page.shapes.map((shape) => shape.facts).reduce((a, b) => (b.vertices > a.vertices ? b : a));
  const ratio = facts.full_matrix_bytes / facts.bytes;
  return element("header", { class: "headline" },
    element("div", { class: "mark" }, "geodome"),
    element("h1", {}, "All ", element("b", {}, large(facts.vertices ** 2)), " distances over ",
      page.shapes.length > 1 ? element("em", {}, facts.name) : "this shape", ", in ", element("b", {}, byte_count(facts.bytes))),
    element("p", {}, sentence([
      ratio > 1 && `${grouped(ratio)} times smaller than the full matrix (${byte_count(facts.full_matrix_bytes)})`,
      facts.certificate])));
}

// Each line: label, value for one shape, and tooltip.
const lines = [
  ["vertices", ({ vertices }) => grouped(vertices), ({ of, faces }) => `${of ?? "shape"}, ${grouped(faces ?? 0)} faces`],
  ["landmarks", ({ landmarks }) => grouped(landmarks), ({ geodesic }) => `distances measured by '${geodesic || "?"}'`],
  ["all distances", ({ full_matrix_bytes }) => byte_count(full_matrix_bytes), () => "n × n numbers of four bytes"],
  ["this matrix", ({ bytes }) => byte_count(bytes),
    ({ nonzeros, precision }) => `P: ${grouped(nonzeros)} weights; W: ${precision}`],
  ["smaller by", ({ full_matrix_bytes, bytes }) => `${ratio_text(full_matrix_bytes / bytes)} ×`, () => ""],
  ["mean error", ({ measured_error: e }) => (e ? percent(e.mean_relative_error) : "–"),
    ({ measured_error: e }) => e ? `mean of |K̃ − K| / K over ${e.rows} rows; 99 % below ${percent(e.p99_relative_error)}`
      : "not measured"],
  ["ε", ({ measured_error: e }) => (e ? e.relative_error.toExponential(1) : "–"), () => "‖K̃ − K‖² / ‖K‖²"],
  ["built in", ({ seconds }) => (seconds === undefined ? "–" : duration(seconds)), () => ""],
];

const ratio_text = (ratio) => (ratio >= 10 ? grouped(ratio) : ratio.toPrecision(2));

function make_table(shapes) {
  const known = lines.filter(([, value]) => shapes.some((facts) => value(facts) !== "–"));
  return element("table", {},
    element("thead", {}, element("tr", {}, element("td"), ...shapes.map(({ name }) => element("th", { scope: "col", title: name }, name)))),
    element("tbody", {}, ...known.map(([label, value, more]) => element("tr", {}, element("th", { scope: "row" }, label),
      ...shapes.map((facts) => element("td", { title: more(facts) }, value(facts)))))));
}

// Three shapes fit beside each other.
export function make_tables(app) {
  const facts = app.views.map((view) => view.facts);
  const tables = [];
  for (let k = 0; k < facts.length; k += 3) tables.push(make_table(facts.slice(k, k + 3)));
  return tables;
}
