// How surfaces, points and marks are drawn. Colours are computed from one number per vertex in the shader, so that a
// new row of distances costs one upload of four bytes per vertex.
import { DataTexture, DoubleSide, GLSL3, LinearFilter, RawShaderMaterial, RGBAFormat } from "three";
import { colour_table, table_size } from "./colours.js";

export function table_texture(colour) {
  const texture = new DataTexture(colour_table(colour), table_size, 1, RGBAFormat);
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

const place = `
uniform mat4 modelViewMatrix, projectionMatrix;
in vec3 position;
#ifdef MORPHING
uniform float morph;
in vec3 form;
#define AT_MORPH(place, form) mix(place, form, morph)
#else
#define AT_MORPH(place, form) place
#endif
vec4 seen_place() { return modelViewMatrix * vec4(AT_MORPH(position, form), 1.0); }
`;

const colouring = `
precision highp float;
uniform sampler2D table;
uniform bool by_value;      // else by tint
uniform float isoline_step; // in values; 0: none
uniform float pixel_ratio;
in float shade_value;
in vec3 shade_tint;
out vec4 colour;

vec3 surface_colour() {
  if (!by_value) return shade_tint;
  if (shade_value < -0.5) return vec3(0.62);  // out of reach
  vec3 base = texture(table, vec2((clamp(shade_value, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  if (isoline_step <= 0.0) return base;
  float at = shade_value / isoline_step;
  float width = max(fwidth(at), 1e-6);
  float off = abs(fract(at - 0.5) - 0.5) / width;
  // Lines fade where they would run into each other.
  float line = (1.0 - smoothstep(0.5 * pixel_ratio, 1.2 * pixel_ratio, off)) * (1.0 - smoothstep(0.25, 0.5, width));
  float light = dot(base, vec3(0.299, 0.587, 0.114));
  return mix(base, light < 0.42 ? vec3(1.0) : vec3(0.0), line * (light < 0.42 ? 0.55 : 0.5));
}
`;

const surface_vertex = `
${place}
uniform mat3 normalMatrix;
in vec3 normal, form_normal, tint;
in float value;
out float shade_value;
out vec3 shade_tint, shade_normal, shade_place;
void main() {
  vec4 seen = seen_place();
  shade_value = value;
  shade_tint = tint;
  shade_normal = normalMatrix * AT_MORPH(normal, form_normal);
  shade_place = seen.xyz;
  gl_Position = projectionMatrix * seen;
}`;

const surface_fragment = `
${colouring}
in vec3 shade_normal, shade_place;
void main() {
  vec3 base = surface_colour();
  vec3 eye = normalize(-shade_place);
  vec3 n = normalize(shade_normal);
  if (dot(n, eye) < 0.0) n = -n;  // both sides, also of mirrored forms
  float key = max(0.0, dot(n, normalize(vec3(0.35, 0.65, 0.68))));
  float fill = 0.5 + 0.5 * n.y;
  float rim = pow(1.0 - max(0.0, dot(n, eye)), 3.0);
  vec3 lit = base * (0.5 + 0.16 * fill + 0.42 * key);
  float shine = pow(max(0.0, dot(n, normalize(eye + vec3(0.35, 0.65, 0.68)))), 48.0);
  lit = lit * (1.0 - 0.35 * rim) + 0.10 * shine;
  colour = vec4(lit, 1.0);
}`;

const point_vertex = `
${place}
uniform float point_size, pixel_ratio;
in vec3 tint;
in float value;
out float shade_value;
out vec3 shade_tint;
void main() {
  shade_value = value;
  shade_tint = tint;
  gl_Position = projectionMatrix * seen_place();
  gl_PointSize = point_size * pixel_ratio;
}`;

const point_fragment = `
${colouring}
void main() {
  float off = length(gl_PointCoord - 0.5) * 2.0;
  if (off > 1.0) discard;
  colour = vec4(surface_colour() * (1.0 - 0.35 * off * off), 1.0);
}`;

const line_fragment = `
${colouring}
void main() { colour = vec4(mix(surface_colour(), vec3(0.5), 0.35), 1.0); }`;

const mark_vertex = `
${place}
uniform float point_size, lift, pixel_ratio;
in vec3 ink;
out vec3 shade_ink;
void main() {
  shade_ink = ink;
  vec4 seen = seen_place();
  seen.xyz *= 1.0 - lift;  // towards the eye, out of the surface
  gl_Position = projectionMatrix * seen;
  gl_PointSize = point_size * pixel_ratio;
}`;

const mark_fragment = `
precision highp float;
uniform float opacity, point_size, pixel_ratio;
in vec3 shade_ink;
out vec4 colour;
void main() {
  float size = point_size * pixel_ratio, off = length(gl_PointCoord - 0.5) * size;
  float edge = 0.5 * size - 0.5, ring = max(1.5 * pixel_ratio, 0.11 * size);
  float inside = 1.0 - smoothstep(edge - 0.5, edge + 0.5, off);
  float core = 1.0 - smoothstep(edge - ring - 0.5, edge - ring + 0.5, off);
  float light = dot(shade_ink, vec3(0.3, 0.6, 0.1));
  vec3 border = light > 0.5 ? vec3(0.08) : vec3(1.0);
  if (inside <= 0.0) discard;
  colour = vec4(mix(border, shade_ink, core), inside * opacity);
}`;

const material = (vertexShader, fragmentShader, uniforms, more = {}) =>
  new RawShaderMaterial({ glslVersion: GLSL3, vertexShader, fragmentShader, uniforms, ...more });

// A shape as it is need not read its form for every vertex.
export function set_morphing(one, on) {
  if (("MORPHING" in one.defines) === on) return;
  one.defines = on ? { MORPHING: 1 } : {};
  one.needsUpdate = true;
}

// Sizes are in pixels of the screen, of which the picture may have more.
export function set_pixel_ratio(one, ratio) {
  one.uniforms.pixel_ratio.value = ratio;
}

const number = (value) => ({ value });

export function surface_uniforms(table) {
  return {
    morph: number(0), table: number(table), by_value: number(true), isoline_step: number(0), pixel_ratio: number(1),
    point_size: number(4),
  };
}

export const surface_material = (uniforms) =>
  material(surface_vertex, surface_fragment, uniforms, { side: DoubleSide });

export const point_material = (uniforms) => material(point_vertex, point_fragment, uniforms);

export const line_material = (uniforms) => material(point_vertex, line_fragment, uniforms);

// Marks share the surface's morph. Ghosts are seen through the shape.
export function mark_material(morph, { size, lift = 0.002, opacity = 1, ghost = false }) {
  return material(mark_vertex, mark_fragment,
    { morph, point_size: number(size), lift: number(lift), opacity: number(opacity), pixel_ratio: number(1) },
    { transparent: true, depthTest: !ghost, depthWrite: false });
}
