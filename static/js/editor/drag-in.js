// A new card that is dragged from the picker to its place on the board.
import { from } from "./direction.js";

export class DragIn {
  #work;
  #handles;
  #screen;
  #settings;
  #show;

  /** screen: the element that shows the board; show(cards): draw the board with these cards, null for its own. */
  constructor({ work, handles, screen, settings, show }) {
    this.#work = work;
    this.#handles = handles;
    this.#screen = screen;
    this.#settings = settings;
    this.#show = show;
  }

  /** The card is held there: the board as it would be, or that there is no room. */
  over(kind, x, y) {
    const cell = this.#cellAt(kind, x, y);
    const card = cell && this.#work.fresh(kind);
    const found = card && this.#work.tried({ ...card, ...cell, id: "new" });
    this.#show(found ? found.cards : null);
    this.#handles.haunt(card && !found ? { ...card, ...cell } : null);
  }

  drop(kind, x, y) {
    const cell = this.#cellAt(kind, x, y);
    this.cancel();
    if (cell) this.#work.add(kind, cell);
  }

  cancel() {
    this.#handles.haunt(null);
    this.#show(null);
  }

  #cellAt(kind, x, y) {
    const { cell, origin } = this.#handles.plan;
    const box = this.#screen.getBoundingClientRect();
    if (!cell || x < box.left || x > box.right || y < box.top || y > box.bottom) return null;
    const { usual_width: w, usual_height: h } = this.#settings.kinds[kind];
    const { rows } = this.#work.layout;
    const between = (value, most) => Math.max(0, Math.min(most, value));
    const column = Math.round((from(box, x) - origin.x) / cell.width - w / 2);
    const row = Math.round((y - box.top - origin.y) / cell.height - h / 2);
    const height = Math.min(h, rows);
    return { x: between(column, this.#settings.limits.columns - w), y: between(row, rows - height), w, h: height };
  }
}
