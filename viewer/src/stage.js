// The picture: one canvas, a cell for each shape, one camera for all of them.
import { PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { arrange } from "./layout.js";

const half_angle = (15 * Math.PI) / 180; // of what is seen, from the middle to the top
const lift = ({ height }) => Math.round(Math.min(20, 0.07 * height)); // more is written below shapes than above
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
    this.fit_distance = 1 / Math.tan(half_angle); // one unit from the middle to the top of a cell
    this.cells = [];
    this.listeners = [];
    this.reset_camera();
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  // `listener` is called after every frame.
  on_frame(listener) {
    this.listeners.push(listener);
  }

  // Some points of each shape and of its form, as the camera sees them first: to the right, up, and towards it.
  first_sight() {
    const towards = direction(first_azimuth, first_elevation);
    const right = new Vector3(-Math.sin(first_azimuth), Math.cos(first_azimuth), 0), up = towards.clone().cross(right);
    return this.views.map(({ geometry }) => [geometry.places, geometry.form].map((places) => {
      const step = 3 * Math.ceil(places.length / 3 / 20000), seen = [];
      for (let k = 0; k < places.length; k += step)
        for (const axis of [right, up, towards])
          seen.push(places[k] * axis.x + places[k + 1] * axis.y + places[k + 2] * axis.z);
      return seen;
    }));
  }

  reset_camera() {
    this.controls.target.set(0, 0, 0);
    this.camera.position.copy(direction(first_azimuth, first_elevation)).multiplyScalar(this.fit_distance);
    this.controls.update();
    this.request();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const first = this.width === undefined;
    if (width === 0 || height === 0 || (width === this.width && height === this.height)) return;
    Object.assign(this, { width, height });
    this.seen ??= this.first_sight();
    const in_group = (k) => this.views[k].shape.corresponds;
    const { cells, scales } = arrange(width, height, this.seen, in_group, this.fit_distance);
    this.cells = cells;
    this.views.forEach((view, k) => view.set_scale(scales[k]));
    this.finest = Math.min(3, Math.max(2, window.devicePixelRatio));
    this.moving_ratio ??= this.finest;
    this.renderer.setSize(width, height, false);
    this.resized?.();
    if (!first) this.draw_still();
  }

  // The camera as it sees the cell of a shape.
  camera_of(index) {
    const { width, height } = this.cells[index];
    if (this.camera.aspect !== width / height) {
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
    }
    return this.camera;
  }

  request() {
    this.pending ??= requestAnimationFrame((now) => {
      this.pending = undefined;
      if (this.last_frame !== undefined) this.note_frame(now - this.last_frame);
      this.last_frame = now;
      this.controls.update();
      this.draw(this.shown ? this.moving_ratio : coarsest); // the first picture comes soon
      this.shown = true;
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
      renderer.render(this.scenes[k], this.camera_of(k));
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
    const place = this.views[index].screen_place(this.camera_of(index), vertex);
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
