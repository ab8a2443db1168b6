// Clicks, drags and hovering. The camera follows drags that begin beside a pin; a drag on a pin moves it.

const click_reach = 6; // pixels a pointer may wander and still click
const pin_reach = 20;

export function listen_to_pointer(stage, app, labels) {
  const { canvas, controls } = stage;
  let down, dragged, hovering;

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return { left: event.clientX - box.left, top: event.clientY - box.top };
  };

  const under = ({ left, top }) => {
    const at = stage.locate(left, top);
    if (at === undefined) return { index: 0, drawn: -1 };
    return { index: at.index, drawn: app.views[at.index].pick(stage.camera_of(at.index), at.x, at.y, at.reach) };
  };

  // The pin under the pointer: "source", "target" or nothing. A finger needs more room.
  const pin_at = ({ left, top }, touch) => {
    const at = stage.locate(left, top);
    if (at === undefined) return undefined;
    const view = app.views[at.index], reach = touch ? 1.6 * pin_reach : pin_reach;
    for (const name of ["target", "source"]) {
      if (view[name] < 0) continue;
      const pin = stage.canvas_place(at.index, view[name]);
      if (Math.hypot(pin.left - left, pin.top - top) > reach) continue;
      // Not a pin on the far side.
      if (view.is_surface && view[name] !== view.geometry.vertex_of(view.pick(stage.camera_of(at.index), at.x, at.y, at.reach))) {
        const seen = view.pick(stage.camera_of(at.index), ...screen_of(pin), at.reach);
        if (seen < 0 || !near(view, seen, view[name])) continue;
      }
      return name;
    }
    return undefined;
  };

  const screen_of = ({ left, top }) => {
    const at = stage.locate(left, top);
    return at ? [at.x, at.y] : [2, 2];
  };

  // Whether what is seen at a vertex's place is the vertex or next to it.
  const near = (view, drawn, vertex) => {
    const places = view.places(), a = 3 * drawn, b = 3 * view.drawn_vertex(vertex);
    return Math.hypot(places[a] - places[b], places[a + 1] - places[b + 1], places[a + 2] - places[b + 2]) <
      0.05 * view.geometry.place_radius;
  };

  const move_pin = (name, event) => {
    const { index, drawn } = under(place(event));
    if (drawn < 0) return;
    const vertex = app.views[index].geometry.vertex_of(drawn);
    if (name === "source") app.set_source(index, vertex);
    else app.set_target(index, vertex);
  };

  // Before the camera's own listener, which would turn the shape.
  canvas.addEventListener("pointerdown", (event) => {
    const at = place(event);
    if (!event.isPrimary) {
      down = undefined;
      return;
    }
    down = event.button === 0 ? { ...at, time: event.timeStamp } : undefined;
    dragged = event.button === 0 ? (event.shiftKey ? "source" : pin_at(at, event.pointerType === "touch")) : undefined;
    if (dragged === undefined) return;
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    event.stopImmediatePropagation();
  }, { capture: true });

  canvas.addEventListener("pointermove", (event) => {
    const at = place(event);
    if (down && Math.hypot(at.left - down.left, at.top - down.top) > click_reach) down.moved = true;
    if (dragged !== undefined && down?.moved) return move_pin(dragged, event);
    if (event.buttons !== 0 || event.pointerType === "touch") return;
    hovering ??= requestAnimationFrame(() => {
      hovering = undefined;
      const { index, drawn } = under(at);
      canvas.style.cursor = pin_at(at, false) ? "grab" : drawn >= 0 ? "crosshair" : "default";
      if (app.follow && drawn >= 0) app.set_source(index, app.views[index].geometry.vertex_of(drawn));
      labels.hover(index, drawn);
    });
  });

  const release = (event) => {
    const clicked = down && !down.moved && event.type === "pointerup";
    down = dragged = undefined;
    controls.enabled = true;
    if (!clicked) return;
    const { index, drawn } = under(place(event));
    if (drawn >= 0) app.pick(index, app.views[index].geometry.vertex_of(drawn));
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => labels.hover(0, -1));
}
