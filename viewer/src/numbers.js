// Numbers as people read them.

export function grouped(number) {
  return Math.round(number).toLocaleString("en-US");
}

export function byte_count(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let k = 0;
  while (bytes >= 999.5 && k + 1 < units.length) {
    bytes /= 1000;
    ++k;
  }
  return `${k === 0 ? bytes : bytes.toPrecision(3)} ${units[k]}`;
}

export function duration(seconds) {
  if (seconds < 10) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Number((seconds / 60).toPrecision(2))} min`;
  return `${Number((seconds / 3600).toPrecision(2))} h`;
}

export function digits(value, count = 4) {
  if (!Number.isFinite(value)) return "∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(count - 1).replace("e+", "e");
  return Number(value.toPrecision(count)).toString();
}

export function percent(share) {
  return `${Number((100 * share).toPrecision(2))} %`;
}

// 1, 2 or 5 times a power of ten: the step that cuts `range` into about `parts`.
export function round_step(range, parts) {
  const rough = range / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}
