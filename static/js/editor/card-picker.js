// The cards that can be added: press one for the first free place, or drag it to where it shall stand.

import { element } from "./fields.js";

const SLOP = 6;

export class CardPicker {
  /** on: {add(kind), over(kind, x, y), drop(kind, x, y), cancel()}; x and y are of the window. */
  constructor(root, kinds, on) {
    this.on = on;
    this.drag = null;
    const items = Object.entries(kinds).map(([kind, about]) =>
      element("li", {}, element("button", { type: "button", class: "picker-card", "data-kind": kind, text: about.name })),
    );
    root.append(...items);
    this.buttons = items.map((item) => item.firstChild);
    root.addEventListener("click", (event) => this.clicked(event));
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.moved(event));
    root.addEventListener("pointerup", (event) => this.up(event));
    root.addEventListener("pointercancel", () => this.end());
    root.addEventListener("keydown", (event) => event.key === "Escape" && this.end());
  }

  focus() {
    this.buttons[0].focus();
  }

  clicked(event) {
    const button = event.target.closest("[data-kind]");
    if (button && !this.wasDragged) this.on.add(button.dataset.kind);
    this.wasDragged = false;
  }

  down(event) {
    const button = event.target.closest("[data-kind]");
    this.wasDragged = false;
    if (!button || event.button !== 0) return;
    this.drag = { kind: button.dataset.kind, pointer: event.pointerId, x: event.clientX, y: event.clientY, isOn: false };
    button.setPointerCapture(event.pointerId);
  }

  moved(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    drag.isOn = drag.isOn || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) >= SLOP;
    if (drag.isOn) this.on.over(drag.kind, event.clientX, event.clientY);
  }

  up(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.drag = null;
    this.wasDragged = drag.isOn;
    if (drag.isOn) this.on.drop(drag.kind, event.clientX, event.clientY);
  }

  end() {
    if (!this.drag) return;
    this.wasDragged = this.drag.isOn;
    this.drag = null;
    this.on.cancel();
  }
}
