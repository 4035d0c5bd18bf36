// No cards for a while: the menu that says so, and a line that does not let it be forgotten.

import { say } from "./parts.js";
import { fill } from "./times.js";

export class Quiet {
  #menu = document.getElementById("quiet-menu");
  #line = document.getElementById("hush");
  #text = document.getElementById("hush-text");
  #deps;
  #state = { is_quiet: false, until: null };

  /** deps: {server, words, clock, now, tell, ended}; ended() is called when cards come again. */
  constructor(deps, state) {
    this.#deps = deps;
    this.#menu.addEventListener("click", (event) => {
      const button = event.target.closest("[data-minutes]");
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
    const { words, clock } = this.#deps;
    const { until } = this.#state;
    const text = until === null ? words.quiet_on : fill(words.quiet_until, { time: clock(until) });
    say(this.#text, this.isOn ? text : "");
    this.#line.hidden = !this.isOn;
    this.#menu.hidden = this.isOn;
  }

  async #ask(isQuiet, minutes) {
    this.#close();
    try {
      this.update(await this.#deps.server.post("be_quiet", { is_quiet: isQuiet, minutes }));
    } catch {
      this.#deps.tell(this.#deps.words.save_failed);
    }
  }

  #close() {
    if (this.#menu.open) {
      this.#menu.open = false;
      this.#menu.querySelector("summary").focus();
    }
  }
}
