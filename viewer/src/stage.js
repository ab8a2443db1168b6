// The picture: one canvas, a cell for each shape, one camera for all of them.
import { PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const half_angle = (15 * Math.PI) / 180; // of what is seen, from the middle to the top
const margin = { wide: 24, high: 130 }; // pixels of a cell that are left to what is written over it
const lift = ({ height }) => Math.round(Math.min(20, 0.07 * height)); // more is written below shapes than above
const nearer = 1.06; // what is in front looks larger than what is in the middle
const first_azimuth = (-60 * Math.PI) / 180, first_elevation = (26 * Math.PI) / 180;
// Edges are smoothed by drawing more pixels than are shown, as many as the machine can while something moves.
const coarsest = 1, slow_frame = 34, quick_frame = 14; // milliseconds
const rest = 200; // milliseconds without a frame until the picture is drawn in full

const direction = (azimuth, elevation) =>
  new Vector3(Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation));

export class Stage {
  constructor(canvas, views) {
    this.canvas = canvas;
    this.views = views;
    this.scenes = views.map((view) => new Scene().add(view.group));
    this.renderer = new WebGLRenderer({ canvas, antialias: false, alpha: true, powerPreference: "high-performance" });
    this.renderer.autoClear = false;
    this.camera = new PerspectiveCamera((2 * half_angle * 180) / Math.PI, 1, 0.05, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = false;
    this.controls.minDistance = 0.2;
    this.controls.maxDistance = 40;
    this.controls.addEventListener("change", () => this.request());
    this.cells = [];
    this.listeners = [];
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  // `listener` is called after every frame.
  on_frame(listener) {
    this.listeners.push(listener);
  }

  // Half the width and height of all shapes as they are first seen, as they are and as forms.
  extents() {
    const towards = direction(first_azimuth, first_elevation);
    const right = new Vector3(-Math.sin(first_azimuth), Math.cos(first_azimuth), 0), up = towards.clone().cross(right);
    const extent = { wide: 0, high: 0 };
    for (const view of this.views)
      [view.geometry.places, view.geometry.form].forEach((places, end) => {
        const step = 3 * Math.ceil(places.length / 3 / 20000), scale = 1 / view.scale_radius[end];
        for (let k = 0; k < places.length; k += step) {
          const along = (axis) => Math.abs(places[k] * axis.x + places[k + 1] * axis.y + places[k + 2] * axis.z) * scale;
          extent.wide = Math.max(extent.wide, along(right));
          extent.high = Math.max(extent.high, along(up));
        }
      });
    return extent;
  }

  reset_camera() {
    this.controls.target.set(0, 0, 0);
    this.camera.position.copy(direction(first_azimuth, first_elevation)).multiplyScalar(this.fit_distance);
    this.controls.update();
    this.request();
  }

  // Cells of equal size, in as many columns as make the shapes largest.
  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const count = this.views.length, extent = (this.first_extents ??= this.extents());
    const room = (size, lost) => Math.max(size - lost, 0.4 * size);
    let columns = 1, best = 0;
    for (let c = 1; c <= count; ++c) {
      const scale = Math.min(room(width / c, margin.wide) / extent.wide,
        room(height / Math.ceil(count / c), margin.high) / extent.high) / 2;
      if (scale > best) {
        best = scale;
        columns = c;
      }
    }
    const rows = Math.ceil(count / columns);
    this.cells = this.views.map((_, k) => ({
      x: (k % columns) * (width / columns),
      y: Math.floor(k / columns) * (height / rows),
      width: width / columns,
      height: height / rows,
    }));
    this.finest = Math.min(3, Math.max(2, window.devicePixelRatio));
    this.moving_ratio ??= this.finest;
    this.renderer.setSize(width, height, false);
    const before = this.fit_distance;
    this.fit_distance = (nearer * height) / rows / 2 / (best * Math.tan(half_angle));
    this.camera.aspect = width / columns / (height / rows);
    this.camera.updateProjectionMatrix();
    // As far from where the camera looks as before, in units of what fits.
    if (before === undefined) this.reset_camera();
    else this.zoom(this.fit_distance / before);
    this.resized?.();
    this.draw_still();
  }

  request() {
    this.pending ??= requestAnimationFrame((now) => {
      this.pending = undefined;
      if (this.last_frame !== undefined) this.note_frame(now - this.last_frame);
      this.last_frame = now;
      this.controls.update();
      this.draw(this.moving_ratio);
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.draw_still(), rest);
    });
  }

  // What a frame took decides how fine the next ones are.
  note_frame(milliseconds) {
    const before = this.moving_ratio;
    this.slow_frames = milliseconds > slow_frame ? (this.slow_frames ?? 0) + 1 : 0;
    this.quick_frames = milliseconds < quick_frame ? (this.quick_frames ?? 0) + 1 : 0;
    if (this.slow_frames >= 2) this.moving_ratio = Math.max(coarsest, before / Math.SQRT2);
    if (this.quick_frames >= 30) this.moving_ratio = Math.min(this.finest, before * Math.SQRT2);
    if (this.moving_ratio !== before) this.slow_frames = this.quick_frames = 0;
  }

  draw_still() {
    this.last_frame = undefined;
    this.draw(this.finest);
  }

  draw(ratio = this.finest) {
    const { renderer, camera } = this;
    if (renderer.getPixelRatio() !== ratio) {
      renderer.setPixelRatio(ratio);
      for (const view of this.views) view.set_pixel_ratio(ratio);
    }
    camera.updateMatrixWorld();
    renderer.setScissorTest(false);
    renderer.clear();
    renderer.setScissorTest(true);
    const height = this.canvas.clientHeight;
    this.cells.forEach((cell, k) => {
      const box = [cell.x, height - cell.y - cell.height, cell.width, cell.height];
      renderer.setScissor(...box);
      renderer.setViewport(box[0], box[1] + lift(cell), box[2], box[3]);
      renderer.render(this.scenes[k], camera);
    });
    for (const listener of this.listeners) listener();
  }

  // The cell at a place of the canvas in CSS pixels: { index, x, y, reach } with x and y from -1 to 1.
  locate(left, top) {
    const index = this.cells.findIndex((cell) =>
      left >= cell.x && left < cell.x + cell.width && top >= cell.y && top < cell.y + cell.height);
    if (index < 0) return undefined;
    const cell = this.cells[index];
    return {
      index,
      x: (2 * (left - cell.x)) / cell.width - 1,
      y: 1 - (2 * (top + lift(cell) - cell.y)) / cell.height,
      reach: [24 / cell.width, 24 / cell.height],
    };
  }

  // Where a vertex of a shape is on the canvas, in CSS pixels.
  canvas_place(index, vertex) {
    const place = this.views[index].screen_place(this.camera, vertex);
    const cell = this.cells[index];
    return { left: cell.x + ((place.x + 1) / 2) * cell.width, top: cell.y - lift(cell) + ((1 - place.y) / 2) * cell.height };
  }

  // Turns the camera around what it looks at; angles in radians.
  turn(around, up) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const length = offset.length();
    const azimuth = Math.atan2(offset.y, offset.x) + around;
    const elevation = Math.max(-1.5, Math.min(1.5, Math.asin(offset.z / length) + up));
    this.camera.position.copy(this.controls.target).addScaledVector(direction(azimuth, elevation), length);
    this.controls.update();
    this.request();
  }

  zoom(factor) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const length = Math.max(this.controls.minDistance, Math.min(this.controls.maxDistance, offset.length() * factor));
    this.camera.position.copy(this.controls.target).addScaledVector(offset.normalize(), length);
    this.controls.update();
    this.request();
  }
}
