// The person's own figures and calls of today.

import { lookOf, stateOf } from "./call-words.js";
import { part, say, sayOrHide } from "./parts.js";
import { fill } from "./times.js";

export class DayView {
  #words;
  #clock;
  #onOpen;
  #search = document.getElementById("day-search");

  /** Figures that miss events are too low: they say so. */
  doubt(isDoubtful) {
    const { day_derived: derived, day_doubtful: doubtful } = this.#words;
    say(document.getElementById("day-note"), isDoubtful ? doubtful : derived);
  }

  /** onOpen(call) shows the card of a call; onSearch() is called when another text is looked for. */
  constructor(words, clock, onOpen, onSearch) {
    this.#words = words;
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
    say(document.getElementById("day-answered"), String(day.figures.answered));
    say(document.getElementById("day-average"), day.figures.average_talk || "–");
    say(document.getElementById("day-missed"), String(day.figures.missed));
    document.getElementById("day-calls").replaceChildren(...day.calls.map((call) => this.#row(call)));
    const none = day.all ? this.#words.no_such_calls : this.#words.no_calls;
    sayOrHide(document.getElementById("day-none"), day.calls.length ? "" : none);
    const isCut = day.calls.length < day.found;
    sayOrHide(document.getElementById("day-more"), isCut ? fill(this.#words.more_calls, { n: day.found - day.calls.length }) : "");
    this.#search.hidden = day.all === 0;
  }

  #row(call) {
    const { element, slot } = part("day-call");
    say(slot("time"), this.#clock(call.rang));
    say(slot("name"), call.name);
    say(slot("number"), call.number);
    element.dataset.state = lookOf(call);
    if (call.is_outgoing) {
      const how = call.state === "ended" ? call.talked || this.#words[call.outcome] : this.#words[`out_${call.state}`];
      say(slot("state"), fill(this.#words.dialled, { how }));
    } else {
      say(slot("state"), call.talked || stateOf(call, this.#words));
    }
    element.firstElementChild.addEventListener("click", () => this.#onOpen(call));
    return element;
  }
}
