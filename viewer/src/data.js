// What the program put into the page: facts as JSON, and compressed arrays of numbers.

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const values = new Uint8Array(128);
for (let k = 0; k < letters.length; ++k) values[letters.charCodeAt(k)] = k;

// Browsers of 2025 and later do this themselves, several times as fast.
function from_base64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let at = 0, out = 0; at < text.length; at += 4, out += 3) {
    const four = (values[text.charCodeAt(at)] << 18) | (values[text.charCodeAt(at + 1)] << 12) |
      (values[text.charCodeAt(at + 2)] << 6) | values[text.charCodeAt(at + 3)];
    bytes[out] = four >> 16;
    bytes[out + 1] = four >> 8;
    bytes[out + 2] = four;
  }
  return bytes;
}

async function inflate(bytes) {
  const stream = new DecompressionStream("deflate");
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const [inflated] = await Promise.all([new Response(stream.readable).arrayBuffer(), written]);
  return new Uint8Array(inflated);
}

// Undoes the byte planes: first bytes of all numbers, then second bytes, …
function join_planes(planes, width) {
  if (width === 1) return planes;
  const count = planes.length / width;
  const bytes = new Uint8Array(planes.length);
  for (let k = 0, to = 0; k < count; ++k)
    for (let plane = 0, from = k; plane < width; ++plane, ++to, from += count) bytes[to] = planes[from];
  return bytes;
}

// Undoes what ArrayFilter::signs and ArrayFilter::increments do (cli/support/page_arrays.h).
function undo_filter(numbers, { signs, apart }) {
  if (signs) {
    const spare = 32 - 8 * numbers.BYTES_PER_ELEMENT; // shifts work on 32 bits
    for (let k = 0; k < numbers.length; ++k) {
      const bits = (numbers[k] << spare) >>> spare;
      numbers[k] = (bits >>> 1) ^ -(bits & 1);
    }
  }
  if (apart) for (let k = apart; k < numbers.length; ++k) numbers[k] += numbers[k - apart];
}

// Rounded numbers by columns, from `low` in steps of `step`.
function unrounded(numbers, { low, step }) {
  const result = new Float64Array(numbers.length), columns = low.length;
  for (let k = 0; k < numbers.length; ++k) result[k] = low[k % columns] + numbers[k] * step[k % columns];
  return result;
}

const types = { Float32Array, Float64Array, Uint8Array, Uint16Array, Uint32Array, Int16Array, Int32Array };

async function read_array(description) {
  const { array, type, length } = description;
  const element = document.getElementById(`geodome-array-${array}`);
  const bytes = await inflate(from_base64(element.textContent));
  element.remove(); // the text is no longer needed, and long
  const Type = types[`${type}Array`];
  const numbers = new Type(join_planes(bytes, Type.BYTES_PER_ELEMENT).buffer);
  if (numbers.length !== length) throw new Error(`array ${array} has ${numbers.length} numbers, expected ${length}`);
  undo_filter(numbers, description);
  return "low" in description ? unrounded(numbers, description) : numbers;
}

// Every descriptor of an array, however deep, becomes the array itself.
async function with_arrays(value, tell) {
  if (value === null || typeof value !== "object") return value;
  if ("array" in value && "type" in value) {
    const numbers = await read_array(value);
    await tell();
    return numbers;
  }
  const keys = Object.keys(value);
  const parts = await Promise.all(keys.map((key) => with_arrays(value[key], tell)));
  const result = Array.isArray(value) ? [] : {};
  keys.forEach((key, k) => (result[key] = parts[k]));
  return result;
}

// { version, unit, shapes }. `tell(share)` is called as arrays are read.
export async function read_page(tell) {
  const all = document.querySelectorAll("script[id^=geodome-array-]").length;
  let done = 0;
  const facts = JSON.parse(document.getElementById("geodome-facts").textContent);
  return with_arrays(facts, () => tell(++done / all));
}
