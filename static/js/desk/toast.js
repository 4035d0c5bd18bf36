// One line that tells what was just done, with a way back where there is one.

import { setText } from "../lib/dom.js";

const SHOWN_MS = 12_000;

export class Toast {
  #line = document.getElementById("toast");
  #text = document.getElementById("toast-text");
  #undo = document.getElementById("toast-undo");
  #timer = 0;
  #act = null;

  constructor() {
    this.#undo.addEventListener("click", () => {
      this.#line.hidden = true;
      this.#act?.();
    });
  }

  tell(text, undo = null) {
    this.#act = undo;
    this.#undo.hidden = undo === null;
    this.#line.hidden = false;
    setText(this.#text, text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#rest(), SHOWN_MS);
  }

  /** It stays while somebody is about to press the button. */
  #rest() {
    if (this.#line.contains(this.#line.ownerDocument.activeElement) || this.#line.matches(":hover")) {
      this.#timer = setTimeout(() => this.#rest(), SHOWN_MS);
    } else {
      this.#line.hidden = true;
    }
  }
}
