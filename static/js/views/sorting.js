/* People by their names, and calls with those that ring on top. */

const byName = new Intl.Collator(undefined, { numeric: true }).compare;

export function sortedPeople(docs) {
  const people = Array.from(docs.entries()).filter((entry) => entry[0] !== "events").map((entry) => entry[1]);
  const name = (person) => person.name || person.extension;
  return people.sort((one, other) => byName(name(one), name(other)));
}

/* A call that stands in a queue and rings or talks at somebody's phone is shown there, not twice. */
export function sortedCalls(docs) {
  const legs = Array.from(docs.entries()).filter((entry) => entry[0] !== "events").map((entry) => entry[1]);
  const atPhones = new Set(legs.filter((leg) => !leg.queue).map((leg) => leg.call));
  const calls = legs.filter((leg) => !leg.queue || !atPhones.has(leg.call));
  const rank = (call) => (stateOf(call) === "talking" ? 1 : 0);
  return calls.sort((one, other) => rank(one) - rank(other) || one.started - other.started);
}

export function stateOf(call) {
  return call.unconfirmed ? "unconfirmed" : call.state;
}
