// No cards for a while: the menu that says so, and a line that does not let it be forgotten.

import { setText } from "../lib/dom.js";
import { fill } from "../lib/format.js";

export class Quiet {
  #menu = /** @type {HTMLDetailsElement} */ (document.getElementById("quiet-menu"));
  #line = document.getElementById("hush");
  #text = document.getElementById("hush-text");
  #deps;
  #state = { is_quiet: false, until: null };

  /** deps: {server, texts, clock, now, tell, ended}; ended() is called when cards come again. */
  constructor(deps, state) {
    this.#deps = deps;
    this.#menu.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-minutes]"));
      if (button) {
        this.#ask(true, Number(button.dataset.minutes) || null);
      }
    });
    this.#menu.addEventListener("keydown", (event) => event.key === "Escape" && this.#close());
    document.getElementById("hush-end").addEventListener("click", () => this.#ask(false, null));
    this.update(state);
  }

  get isOn() {
    const { is_quiet: isQuiet, until } = this.#state;
    return isQuiet && (until === null || until > this.#deps.now());
  }

  /** What the server says; another page of the person may have changed it. */
  update(state) {
    const wasOn = this.isOn;
    this.#state = state;
    this.tick();
    if (wasOn && !this.isOn) {
      this.#deps.ended();
    }
  }

  /** It ends by itself. */
  tick() {
    if (this.#state.is_quiet && !this.isOn) {
      this.#state = { is_quiet: false, until: null };
      this.#deps.ended();
    }
    const { texts, clock } = this.#deps;
    const { until } = this.#state;
    const text = until === null ? texts.quiet_on : fill(texts.quiet_until, { time: clock(until) });
    setText(this.#text, this.isOn ? text : "");
    this.#line.hidden = !this.isOn;
    this.#menu.hidden = this.isOn;
  }

  async #ask(isQuiet, minutes) {
    this.#close();
    try {
      this.update(await this.#deps.server.post("be_quiet", { is_quiet: isQuiet, minutes }));
    } catch {
      this.#deps.tell(this.#deps.texts.save_failed);
    }
  }

  #close() {
    if (this.#menu.open) {
      this.#menu.open = false;
      this.#menu.querySelector("summary").focus();
    }
  }
}
