// What the bell said of each leg of a call: a person may have several devices, and a call may ring them again.

const RANK = { ringing: 0, talking: 1, ended: 2 };
const WEIGHT = { talking: 2, ringing: 1, ended: 0 };

export class HeardLegs {
  #calls = new Map();

  clear() {
    this.#calls.clear();
  }

  forget(legs) {
    for (const heard of this.#calls.values()) {
      legs.forEach((leg) => heard.delete(leg));
    }
  }

  /** A leg of the call that still rings or is talked on; undefined where there is none. */
  liveOf(call) {
    return [...(this.#calls.get(call)?.values() ?? [])].find(({ state }) => state !== "ended");
  }

  /**
   * Of all legs of the call the one that counts: what is talked on, then what rings, then what rang last. `shown` is
   * what stands for the call so far.
   */
  foremost(news, shown) {
    const heard = this.#calls.get(news.call) ?? new Map();
    this.#calls.set(news.call, heard);
    if (!(RANK[news.state] < RANK[heard.get(news.leg)?.state])) {
      heard.set(news.leg, news);
    }
    const legs = shown && !heard.has(shown.leg) ? [shown, ...heard.values()] : [...heard.values()];
    return legs.reduce((one, other) => (comesBefore(other, one, shown?.leg) ? other : one));
  }
}

/** A leg's state only moves forward; what comes late changes nothing. */
export function forward(entry, news) {
  if (RANK[news.state] < RANK[entry.state]) {
    return;
  }
  if (news.state === "talking") {
    entry.answered = news.since;
    entry.isAsking ||= entry.state === "ringing";
  }
  const { state, since, outcome, by, as_of = entry.as_of } = news;
  Object.assign(entry, { state, since, outcome, by, as_of });
}

function comesBefore(one, other, shown) {
  if (WEIGHT[one.state] !== WEIGHT[other.state]) {
    return WEIGHT[one.state] > WEIGHT[other.state];
  }
  // Answered on one of the devices: the card stays with the leg that was talked on.
  if (one.outcome === "answered" && other.outcome === "answered") {
    return one.leg === shown;
  }
  return one.leg > other.leg;
}
