// The side of the editor: settings of the board, or of the chosen card.
import { isGrid } from "./values.js";

export class Side {
  #part;
  #work;
  #shown = null; // the card whose choice brought its settings forward

  /** part(name): a part of the page by its class. */
  constructor(part, work) {
    this.#part = part;
    this.#work = work;
    part("side-tabs").addEventListener("change", () => this.update());
  }

  /** A card that gets selected brings its settings forward. */
  update() {
    const { layout, selected } = this.#work;
    this.#part("side-tabs").hidden = !isGrid(layout);
    if (selected !== this.#shown) this.#tab(selected ? "card" : "board").checked = true;
    this.#shown = selected;
    const isCard = this.#tab("card").checked;
    this.#part("card-side").hidden = !isCard;
    this.#part("board-side").hidden = isCard;
    this.#part("card-none").hidden = Boolean(selected);
  }

  #tab(value) {
    return /** @type {HTMLInputElement} */ (this.#part("side-tabs").querySelector(`[value=${value}]`));
  }
}
