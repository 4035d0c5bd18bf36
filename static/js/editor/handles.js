// What lies over the drawn cards: one button each, to be walked by Tab, dragged by its face and resized by its corner.

import { fill } from "../lib/format.js";
import { along } from "./direction.js";
import { inReadingOrder } from "./placement.js";
import { nameOf } from "./values.js";

const SLOP = 5; // pixels that a finger may tremble before it drags

export class Handles {
  /** on: {select(id), open(id), tried(card, shrinks) -> found | null, trial(cards | null), size() -> {rows},
   * drop(card | null, shrinks, before), keys(event, id)}. */
  constructor(root, settings, on) {
    this.root = root;
    this.settings = settings;
    this.on = on;
    this.nodes = new Map();
    this.drag = null;
    this.plan = { boxes: [] };
    this.ghost = root.parentElement.querySelector(".preview-ghost");
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.moved(event));
    root.addEventListener("pointerup", (event) => this.up(event));
    root.addEventListener("pointercancel", () => this.cancel());
    root.addEventListener("click", (event) => this.clicked(event));
    root.addEventListener("keydown", (event) => this.keyed(event));
    root.addEventListener("focusin", (event) => this.focused(event));
  }

  get isDragging() {
    return this.drag !== null && this.drag.isOn;
  }

  update(plan, selected) {
    this.plan = plan;
    const focused = this.root.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.id : null;
    const cards = inReadingOrder(plan.boxes.map((box) => box.card));
    const boxes = new Map(plan.boxes.map((box) => [box.card.id, box]));
    this.forget(boxes);
    cards.forEach((card, index) => {
      const node = this.nodes.get(card.id) || this.make(card.id);
      if (!this.isDragging && this.root.children[index] !== node) this.root.insertBefore(node, this.root.children[index] || null);
      this.draw(node, boxes.get(card.id), card.id === selected);
    });
    if (focused && document.activeElement !== this.nodes.get(focused)) this.focus(focused);
  }

  forget(boxes) {
    for (const [id, node] of this.nodes) {
      if (boxes.has(id)) continue;
      node.remove();
      this.nodes.delete(id);
    }
  }

  make(id) {
    const node = document.createElement("button");
    node.type = "button";
    node.className = "handle";
    node.dataset.id = id;
    node.setAttribute("aria-describedby", "editor-help");
    node.appendChild(document.createElement("span")).className = "handle-name";
    node.appendChild(document.createElement("i")).className = "handle-corner";
    this.nodes.set(id, node);
    this.root.appendChild(node);
    return node;
  }

  draw(node, box, isSelected) {
    const { card } = box;
    const px = (value) => `${Math.round(value * 10) / 10}px`;
    Object.assign(node.style, {
      transform: `translate(${px(along() * box.x)}, ${px(box.y)})`,
      width: px(box.width),
      height: px(box.height),
    });
    const name = nameOf(card, this.settings.kinds);
    const texts = fill(this.settings.editor.place, { card: name, x: card.x + 1, y: card.y + 1, w: card.w, h: card.h });
    if (node.getAttribute("aria-label") !== texts) node.setAttribute("aria-label", texts);
    if (node.firstChild.textContent !== name) node.firstChild.textContent = name;
    node.setAttribute("aria-pressed", String(isSelected));
    const isHeld = this.isDragging && this.drag.card.id === card.id;
    node.classList.toggle("is-held", isHeld);
    node.classList.toggle("is-refused", isHeld && this.drag.isRefused);
  }

  focus(id) {
    const node = this.nodes.get(id);
    if (node) node.focus({ preventScroll: true });
  }

  idOf(event) {
    const node = event.target.closest(".handle");
    return node ? node.dataset.id : null;
  }

  clicked(event) {
    const id = this.idOf(event);
    if (!id || this.wasDragged) {
      this.wasDragged = false;
      return;
    }
    this.on.select(id);
    if (event.detail === 0) this.on.open(id); // pressed by a key, not by a pointer
  }

  focused(event) {
    const id = this.idOf(event);
    if (id && !this.drag) this.on.select(id);
  }

  keyed(event) {
    const id = this.idOf(event);
    if (event.key === "Escape" && this.drag) this.cancel();
    else if (id) this.on.keys(event, id);
  }

  down(event) {
    const id = this.idOf(event);
    if (!id || event.button !== 0 || this.drag) return;
    const box = this.plan.boxes.find((each) => each.card.id === id);
    this.wasDragged = false;
    const isResize = event.target.classList.contains("handle-corner");
    this.begin(event, box.card, { isResize, dx: event.clientX, dy: event.clientY });
    this.nodes.get(id).setPointerCapture(event.pointerId);
  }

  begin(event, card, more) {
    this.drag = { card, wanted: card, pointer: event.pointerId, isOn: false, isRefused: false, ...more };
  }

  moved(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    const dx = event.clientX - drag.dx;
    const dy = event.clientY - drag.dy;
    if (!drag.isOn && Math.hypot(dx, dy) < SLOP) return;
    if (!drag.isOn) this.on.select(drag.card.id);
    drag.isOn = true;
    this.want(Math.round((along() * dx) / this.plan.cell.width), Math.round(dy / this.plan.cell.height));
  }

  /** The card so many cells away, or so much larger; the board shows it at once where there is room. */
  want(columns, rows) {
    const { drag } = this;
    const { card } = drag;
    const kind = this.settings.kinds[card.kind];
    const between = (least, value, most) => Math.max(least, Math.min(most, value));
    const { rows: height } = this.on.size();
    const wanted = drag.isResize
      ? {
          ...card,
          w: between(kind.least_width, card.w + columns, this.settings.limits.columns - card.x),
          h: between(kind.least_height, card.h + rows, height - card.y),
        }
      : { ...card, x: between(0, card.x + columns, this.settings.limits.columns - card.w), y: between(0, card.y + rows, height - card.h) };
    const found = this.on.tried(wanted, drag.isResize);
    drag.isRefused = !found;
    if (found) drag.wanted = wanted;
    this.on.trial(found ? found.cards : null);
    this.haunt(found ? null : wanted);
  }

  /** Show where a card was wanted that finds no room there; null takes it away. */
  haunt(card) {
    this.ghost.hidden = !card;
    if (!card) return;
    const { cell, origin, gap } = this.plan;
    const px = (value) => `${Math.round(value)}px`;
    const at = `translate(${px(along() * (origin.x + card.x * cell.width))}, ${px(origin.y + card.y * cell.height)})`;
    Object.assign(this.ghost.style, { transform: at, width: px(card.w * cell.width - gap), height: px(card.h * cell.height - gap) });
  }

  up(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.wasDragged = drag.isOn;
    this.drag = null;
    if (!drag.isOn) return;
    this.haunt(null);
    this.on.trial(null);
    this.on.drop(drag.isRefused ? null : drag.wanted, drag.isResize, drag.card);
  }

  cancel() {
    this.wasDragged = this.isDragging;
    this.drag = null;
    this.haunt(null);
    this.on.trial(null);
  }
}
