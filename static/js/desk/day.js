// The person's own figures and calls of today.

import { lookOf, stateOf } from "./call-words.js";
import { part, say, sayOrHide } from "./parts.js";

export class DayView {
  #words;
  #onOpen;

  /** Figures that miss events are too low: they say so. */
  doubt(isDoubtful) {
    const { day_derived: derived, day_doubtful: doubtful } = this.#words;
    say(document.getElementById("day-note"), isDoubtful ? doubtful : derived);
  }

  constructor(words, onOpen) {
    this.#words = words;
    this.#onOpen = onOpen;
  }

  update(day) {
    say(document.getElementById("day-answered"), String(day.figures.answered));
    say(document.getElementById("day-average"), day.figures.average_talk || "–");
    say(document.getElementById("day-missed"), String(day.figures.missed));
    document.getElementById("day-calls").replaceChildren(...day.calls.map((call) => this.#row(call)));
    sayOrHide(document.getElementById("day-none"), day.calls.length ? "" : this.#words.no_calls);
  }

  #row(call) {
    const { element, slot } = part("day-call");
    say(slot("time"), call.time);
    say(slot("name"), call.name);
    say(slot("number"), call.number);
    say(slot("state"), call.talked || stateOf(call, this.#words));
    element.dataset.state = lookOf(call);
    element.firstElementChild.addEventListener("click", () => this.#onOpen(call));
    return element;
  }
}
