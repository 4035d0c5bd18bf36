// The person's own status: shown in the bar, set and cleared without leaving the page.

import { setText, setTextOrHide } from "../lib/dom.js";
import { statusText } from "../views/status.js";

export class OwnStatus {
  #menu = /** @type {HTMLDetailsElement} */ (document.getElementById("status-menu"));
  #form = /** @type {HTMLFormElement} */ (document.getElementById("status-form"));
  #deps;
  #status = null;

  /** deps: {server, texts, zone, now}; status as in the documents of the feed `people`, null where there is none. */
  constructor(deps, status) {
    this.#deps = deps;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#set(/** @type {HTMLButtonElement | null} */ (event.submitter)?.value !== "clear");
    });
    this.#form.addEventListener("input", () => this.#showTime());
    this.#menu.addEventListener("keydown", (event) => event.key === "Escape" && this.#close());
    this.#showTime();
    this.update(status);
  }

  /** What the server says; another page of the person may have changed it. */
  update(status) {
    this.#status = status;
    this.tick();
  }

  /** It ends by itself. */
  tick() {
    const { texts, zone, now } = this.#deps;
    const text = statusText({ status: this.#status }, { now: now(), zone, texts });
    setTextOrHide(document.getElementById("own-status"), text);
    document.getElementById("clear-status").hidden = text === "";
  }

  #showTime() {
    const { back, until } = /** @type {any} */ (this.#form.elements);
    document.getElementById("until-field").hidden = back.value !== "at";
    until.required = back.value === "at";
  }

  async #set(isSet) {
    const wish = isSet ? Object.fromEntries(new FormData(this.#form)) : {};
    const { server, texts } = this.#deps;
    const answer = await server.post("set_status", wish).catch(() => ({ problem: texts.save_failed, status: this.#status }));
    setText(document.getElementById("status-problem"), answer.problem);
    this.update(answer.status);
    if (!answer.problem) {
      this.#close();
    }
  }

  #close() {
    if (this.#menu.open) {
      this.#menu.open = false;
      this.#menu.querySelector("summary").focus();
    }
  }
}
