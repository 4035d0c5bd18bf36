// The person's own figures and calls of today.

import { lookOf, stateOf } from "./call-texts.js";
import { setText, setTextOrHide } from "../lib/dom.js";
import { fill } from "../lib/format.js";
import { templateWithSlots } from "./slots.js";

export class DayView {
  #texts;
  #clock;
  #onOpen;
  #search = /** @type {HTMLInputElement} */ (document.getElementById("day-search"));

  /** Figures that miss events are too low: they say so. */
  doubt(isDoubtful) {
    const { day_derived: derived, day_doubtful: doubtful } = this.#texts;
    setText(document.getElementById("day-note"), isDoubtful ? doubtful : derived);
  }

  /** onOpen(call) shows the card of a call; onSearch() is called when another text is looked for. */
  constructor(texts, clock, onOpen, onSearch) {
    this.#texts = texts;
    this.#clock = clock;
    this.#onOpen = onOpen;
    this.#search.addEventListener("input", onSearch);
  }

  /** What is looked for in today's calls. */
  get text() {
    return this.#search.value.trim();
  }

  /** day.calls are the newest of day.found, of day.all calls in all. */
  update(day) {
    setText(document.getElementById("day-answered"), String(day.figures.answered));
    setText(document.getElementById("day-average"), day.figures.average_talk || "–");
    setText(document.getElementById("day-missed"), String(day.figures.missed));
    document.getElementById("day-calls").replaceChildren(...day.calls.map((call) => this.#row(call)));
    const none = day.all ? this.#texts.no_such_calls : this.#texts.no_calls;
    setTextOrHide(document.getElementById("day-none"), day.calls.length ? "" : none);
    const isCut = day.calls.length < day.found;
    setTextOrHide(document.getElementById("day-more"), isCut ? fill(this.#texts.more_calls, { n: day.found - day.calls.length }) : "");
    this.#search.hidden = day.all === 0;
  }

  #row(call) {
    const { element, slot } = templateWithSlots("day-call");
    setText(slot("time"), this.#clock(call.rang));
    setText(slot("name"), call.name);
    setText(slot("number"), call.number);
    element.dataset.state = lookOf(call);
    if (call.is_outgoing) {
      const how = call.state === "ended" ? call.talked || this.#texts[call.outcome] : this.#texts[`out_${call.state}`];
      setText(slot("state"), fill(this.#texts.dialled, { how }));
    } else {
      setText(slot("state"), call.talked || stateOf(call, this.#texts));
    }
    element.firstElementChild.addEventListener("click", () => this.#onOpen(call));
    return element;
  }
}
