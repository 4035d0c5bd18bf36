// One line for each call that does not stand large: others of this page, and those that another page shows. What is
// over lies below the card: a call that rings is never pushed down by those before it.

import { lookOf, stateOf, timeOf } from "./call-words.js";
import { order, part, say } from "./parts.js";

const isOver = (entry) => entry.state === "ended";

export class Strips {
  #above;
  #below;
  #words;
  #act;
  #strips = new Map();
  #closeAll;

  /** act(what, call) with what: show, take, close or close-all. */
  constructor(above, below, words, act) {
    this.#above = above;
    this.#below = below;
    this.#words = words;
    this.#act = act;
    this.#closeAll = part("close-all").element;
    this.#closeAll.querySelector("button").addEventListener("click", () => act("close-all", null));
  }

  update({ here, unanswered, elsewhere }, now, asOf) {
    const lines = (entries, isElsewhere = false) => entries.map((entry) => this.#line(entry, isElsewhere, now, asOf));
    const over = here.filter(isOver);
    const open = here.filter((entry) => !isOver(entry));
    order(this.#above, [...lines(unanswered), ...lines(open), ...lines(elsewhere, true)]);
    order(this.#below, over.length > 1 ? [...lines(over), this.#closeAll] : lines(over));
    const live = new Set([...here, ...unanswered, ...elsewhere].map((entry) => entry.call));
    for (const call of this.#strips.keys()) {
      if (!live.has(call)) {
        this.#strips.delete(call);
      }
    }
  }

  #line(entry, isElsewhere, now, asOf) {
    const { element, slot } = this.#strips.get(entry.call) ?? this.#make(entry.call);
    element.dataset.state = isElsewhere ? "elsewhere" : lookOf(entry);
    say(slot("state"), isElsewhere ? this.#words.elsewhere : stateOf(entry, this.#words));
    say(slot("time"), isElsewhere ? "" : timeOf(entry, now, this.#words, asOf));
    say(slot("name"), isElsewhere ? "" : (entry.card?.name ?? this.#words.not_loaded));
    const isOurs = entry.place === "here";
    for (const [act, isShown] of [["show", isOurs], ["take", isElsewhere], ["close", isOurs]]) {
      element.querySelector(`[data-act="${act}"]`).hidden = !isShown;
    }
    return element;
  }

  #make(call) {
    const strip = part("strip");
    strip.element.addEventListener("click", (event) => {
      const act = event.target.closest("[data-act]")?.dataset.act;
      if (act) {
        this.#act(act, call);
      }
    });
    this.#strips.set(call, strip);
    return strip;
  }
}
