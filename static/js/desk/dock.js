// The person's calls: what the bell said, which page shows them, and which one stands large. Knows no DOM and no socket.

import { HeardLegs, forward } from "./heard-legs.js";

const STILL_FRESH_MS = 30 * 60_000;
const RETRY_MS = 2_000;
const TAKEN_SHOWN_MS = 20_000;
const MOST_ENDED = 6;

/**
 * ask(leg, take) fetches the card: {card}, {elsewhere}, {closed}, {waits}, {quiet}, or null where the call is not this person's any more;
 * put(calls) tells the server that calls were put away; changed() is called after every change;
 * isBusy() says whether the person is typing in the large card.
 */
export class Dock {
  #calls = new Map();
  #heard = new HeardLegs();
  #deps;
  chosen = null;

  constructor({ ask, put, changed, isBusy, now }) {
    this.#deps = { ask, put, changed, isBusy, now };
  }

  /** All news of a snapshot: what is not in it any more has ended unseen. */
  hearAll(documents) {
    const told = new Set();
    this.#heard.clear();
    for (const news of documents) {
      told.add(news.call);
      this.#hear(news);
    }
    for (const entry of this.#calls.values()) {
      if (!told.has(entry.call) && entry.state !== "ended" && !entry.is_outgoing) {
        Object.assign(entry, { state: "ended", since: this.#deps.now() });
      }
    }
    this.#settle();
  }

  hear(news) {
    this.#hear(news);
    this.#settle();
  }

  /** These legs are no longer theirs to hear of: a machine took the call, or a colleague did. */
  hearGone(legs) {
    this.#heard.forget(legs);
    for (const entry of this.#calls.values()) {
      if (legs.includes(entry.leg) && entry.state !== "ended" && !entry.is_outgoing) {
        this.#goOn(entry, this.#heard.liveOf(entry.call));
      }
    }
    this.#settle();
  }

  /** Calls that the person made ring no bell: how they go on is told with the day. One that lives gets its card. */
  follow(calls) {
    for (const news of calls) {
      const entry = this.#calls.get(news.call);
      if (entry?.leg === news.leg) {
        forward(entry, news);
      } else if (entry?.is_outgoing) {
        this.#goOn(entry, progressOf(news));
      } else if (!entry && news.state !== "ended") {
        this.#ask(this.#add(progressOf(news)), false);
      }
    }
    this.#settle();
  }

  /** The person wants this leg's call large and in this page, whoever showed it before. */
  take(news) {
    const { call } = news;
    const entry = this.#calls.get(call) ?? this.#add(progressOf(news));
    this.chosen = call;
    return this.#ask(entry, true);
  }

  /** Cards are wanted again: ask for what rings or is talked in meanwhile. */
  wake() {
    for (const entry of this.#newestFirst("quiet").filter(({ state }) => state !== "ended")) {
      this.#ask(Object.assign(entry, { place: "asked" }), false);
    }
  }

  /** The same call told anew. */
  renew(entry, card) {
    if (card && this.#calls.get(entry.call) === entry && entry.leg === card.leg) {
      entry.card = card;
      this.#deps.changed();
    }
  }

  show(call) {
    this.chosen = call;
    this.#settle();
  }

  close(calls) {
    const ours = calls.filter((call) => this.#calls.get(call)?.place === "here");
    for (const call of ours) {
      this.#calls.get(call).place = "closed";
    }
    if (ours.length) {
      this.#deps.put(ours);
    }
    this.#settle();
  }

  /** Another page shows these by now. */
  lose(calls) {
    for (const call of calls) {
      const entry = this.#calls.get(call);
      if (entry?.place === "here") {
        entry.place = "elsewhere";
      }
    }
    this.#settle();
  }

  /** Ask again for what another page shows: it may have gone away. */
  retry() {
    for (const entry of this.#waiting()) {
      this.#ask(entry, false);
    }
  }

  /** Whether there is anything whose claim has to be looked after. */
  get isBusy() {
    return this.here().length > 0 || this.#waiting().length > 0;
  }

  /**
   * Put away by itself what needs nobody: a call that a colleague took, one that was missed and has been rung back
   * since, and more ended calls than fit.
   */
  tidy(isKept, hideAfterMs = 0) {
    const ended = this.here().filter((entry) => entry.state === "ended" && !isKept(entry.call));
    const since = this.#deps.now() - TAKEN_SHOWN_MS;
    const taken = ended.filter((entry) => entry.outcome === "taken" && entry.since < since);
    const many = ended.filter((entry) => entry.outcome !== "missed" && entry.call !== this.chosen).slice(MOST_ENDED);
    const old = hideAfterMs ? ended.filter((entry) => entry.since < this.#deps.now() - hideAfterMs) : [];
    const idle = [...new Set([...taken, ...many, ...old, ...ended.filter((entry) => this.#isRungBack(entry))])].map((entry) => entry.call);
    if (idle.length) {
      this.close(idle);
    }
  }

  here() {
    return this.#newestFirst("here");
  }

  elsewhere() {
    return this.#newestFirst("elsewhere").filter((entry) => entry.state !== "ended");
  }

  get(call) {
    return this.#calls.get(call);
  }

  /** What rings while the server does not answer: the person should at least know that. */
  unanswered() {
    return this.#newestFirst("asked").filter((entry) => entry.isLate && entry.state !== "ended");
  }

  #waiting() {
    return this.#newestFirst("elsewhere").filter((entry) => !this.#isPast(entry));
  }

  /** Missed calls that nobody has put away. */
  missed() {
    return this.here().filter((entry) => entry.state === "ended" && entry.outcome === "missed");
  }

  /** Whether the person has reached the caller of this missed call since. */
  #isRungBack({ outcome, card, since }) {
    const isReached = (entry) => entry.is_outgoing && entry.answered > since && entry.card.dial === card.dial;
    return outcome === "missed" && card.dial !== "" && this.here().some(isReached);
  }

  ringing() {
    return this.here().filter((entry) => entry.state === "ringing" && !entry.is_outgoing && !entry.as_of);
  }

  #hear(heard) {
    const entry = this.#calls.get(heard.call);
    const news = this.#heard.foremost(heard, entry);
    if (!entry) {
      if (!this.#isPast(news)) {
        this.#ask(this.#add(news), false);
      }
    } else if (news.leg !== entry.leg) {
      this.#goOn(entry, news);
    } else {
      forward(entry, news);
      this.#askOnAnswer(entry);
    }
  }

  /** Another leg stands for the call, or none: then it is over here. */
  #goOn(entry, leg) {
    if (leg) {
      // A card that is shown stays; without one, asking goes on until there is an answer.
      Object.assign(entry, { answered: null, place: entry.place === "here" ? "here" : "asked" }, leg);
      this.#ask(entry, false);
    } else {
      Object.assign(entry, { state: "ended", since: this.#deps.now() });
    }
  }

  /** The person wants the card once they answer. */
  #askOnAnswer(entry) {
    if (entry.place === "waits" && entry.state === "talking") {
      this.#ask(Object.assign(entry, { place: "asked" }), false);
    }
  }

  #add(news) {
    const entry = { answered: null, card: null, place: "asked", ...news };
    this.#calls.set(news.call, entry);
    return entry;
  }

  #isPast(news) {
    return news.state === "ended" && (news.outcome === "taken" || this.#deps.now() - news.since > STILL_FRESH_MS);
  }

  async #ask(entry, take) {
    const leg = entry.leg;
    let answer;
    try {
      answer = await this.#deps.ask(leg, take);
    } catch {
      setTimeout(() => entry.leg === leg && entry.place === "asked" && this.#ask(entry, take), RETRY_MS);
      entry.isLate = true;
      return this.#deps.changed();
    }
    if (entry.leg === leg) {
      this.#place(entry, answer);
    }
  }

  #place(entry, answer) {
    if (!answer) {
      this.#calls.delete(entry.call);
    } else if (answer.card) {
      const isAsking = entry.place !== "here" && answer.card.state !== "ended";
      Object.assign(entry, { card: answer.card, place: "here", isLate: false, isAsking });
      forward(entry, answer.card);
      entry.answered = answer.card.answered ?? entry.answered;
    } else {
      entry.place = ["closed", "waits", "quiet"].find((place) => answer[place]) ?? "elsewhere";
      this.#askOnAnswer(entry);
    }
    this.#settle();
  }

  /** Which call stands large: a new one takes the place of one that ended, an answered one of any; never under typing. */
  #settle() {
    const here = this.here();
    const shown = here.find((entry) => entry.call === this.chosen);
    const talking = here.find((entry) => entry.state === "talking");
    if (!shown) {
      this.chosen = (talking ?? here.find((entry) => entry.state === "ringing") ?? here[0])?.call ?? null;
    } else if (!this.#deps.isBusy()) {
      const next = here.find((entry) => entry.isAsking && (entry.state === "talking" || shown.state === "ended"));
      this.chosen = next ? next.call : this.chosen;
    }
    for (const entry of here) {
      entry.isAsking = false;
    }
    this.#deps.changed();
  }

  #newestFirst(place) {
    return [...this.#calls.values()].filter((entry) => entry.place === place).sort((a, b) => b.leg - a.leg);
  }
}

/** Of a call in the list of the day, what the dock goes by. */
function progressOf({ call, leg, state, since, outcome, by, as_of, is_outgoing }) {
  return { call, leg, state, since, outcome, by, as_of, is_outgoing };
}
