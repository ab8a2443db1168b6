// Colours for numbers. Maps are helices of constant chroma in Oklab [Ottosson 2020]: equal steps look equally
// large, and lightness alone carries the order, so that they survive grey print and colour blindness.

// Red, green and blue in [0, 1] of sRGB.
export function from_oklab(lightness, a, b) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const encode = (light) => {
    const value = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.min(1, Math.max(0, value));
  };
  return [
    encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function helix({ chroma, lightness, hue }) {
  return (value) => {
    const t = Math.min(1, Math.max(0, value));
    const angle = ((hue[0] + t * (hue[1] - hue[0])) * Math.PI) / 180;
    return from_oklab(lightness[0] + t * (lightness[1] - lightness[0]), chroma * Math.cos(angle),
      chroma * Math.sin(angle));
  };
}

// The same colours that the program draws distances in: dark violet, blue, green, light yellow.
export const distance_colour = helix({ chroma: 0.1, lightness: [0.3, 0.93], hue: [300, 105] });
// From pale yellow through orange to dark red-violet: what is bad stands out.
export const error_colour = helix({ chroma: 0.1, lightness: [0.95, 0.32], hue: [105, -30] });

export const table_size = 256;

// RGBA bytes of a map, for a texture.
export function colour_table(colour) {
  const table = new Uint8Array(4 * table_size);
  for (let k = 0; k < table_size; ++k) {
    const rgb = colour(k / (table_size - 1));
    for (let channel = 0; channel < 3; ++channel) table[4 * k + channel] = Math.round(255 * rgb[channel]);
    table[4 * k + 3] = 255;
  }
  return table;
}

export function css(rgb) {
  return `rgb(${rgb.map((x) => Math.round(255 * x)).join(" ")})`;
}

// Cells next to each other differ in hue and in lightness: landmarks are numbered along the shape, and the golden
// angle keeps near numbers apart.
export function cell_colour(cell) {
  if (cell < 0) return [0.5, 0.5, 0.5];
  const hue = cell * 2.39996, lightness = 0.5 + 0.36 * ((cell * 0.7548777) % 1);
  return from_oklab(lightness, 0.095 * Math.cos(hue), 0.095 * Math.sin(hue));
}

// Canonical coordinates (n by 3) as bytes of red, green and blue, each axis of each component stretched to the
// whole range; the same rule as `geodome embed --coloured`.
export function canonical_colours(form, component) {
  const count = form.length / 3, grey = 128, darkest = 30, lightest = 235;
  const colours = new Uint8Array(form.length).fill(grey);
  for (let axis = 0; axis < 3; ++axis) {
    const low = [], high = [];
    for (let v = 0; v < count; ++v) {
      const c = component(v);
      if (c < 0) continue;
      const x = form[3 * v + axis];
      low[c] = Math.min(low[c] ?? Infinity, x);
      high[c] = Math.max(high[c] ?? -Infinity, x);
    }
    for (let v = 0; v < count; ++v) {
      const c = component(v);
      if (c < 0 || !(high[c] > low[c])) continue;
      const share = (form[3 * v + axis] - low[c]) / (high[c] - low[c]);
      colours[3 * v + axis] = Math.floor(darkest + share * (lightest - darkest) + 0.5);
    }
  }
  return colours;
}
