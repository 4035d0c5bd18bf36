// The person's own figures and calls of today.

import { stateOf } from "./call-words.js";
import { part, say } from "./parts.js";

export class DayView {
  #words;
  #onOpen;

  constructor(words, onOpen) {
    this.#words = words;
    this.#onOpen = onOpen;
  }

  update(day) {
    say(document.getElementById("day-answered"), String(day.figures.answered));
    say(document.getElementById("day-average"), day.figures.average_talk || "–");
    say(document.getElementById("day-missed"), String(day.figures.missed));
    const rows = day.calls.map((call) => this.#row(call));
    document.getElementById("day-calls").replaceChildren(...(rows.length ? rows : [this.#none()]));
  }

  #row(call) {
    const { element, slot } = part("day-call");
    say(slot("time"), call.time);
    say(slot("name"), call.name);
    say(slot("state"), call.talked || stateOf(call, this.#words));
    element.firstElementChild.addEventListener("click", () => this.#onOpen(call));
    return element;
  }

  #none() {
    const line = document.createElement("li");
    line.className = "soft desk-none";
    line.textContent = this.#words.no_calls;
    return line;
  }
}
