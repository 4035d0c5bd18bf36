/* People by their names, and calls with those that ring on top and those that something speaks against at the end. */

export const byName = new Intl.Collator(undefined, { numeric: true }).compare;
const MOST_UNCONFIRMED = 3;
const RANKS = { ringing: 0, calling: 1, talking: 1, other: 2, waiting: 3 };
const sorted = new WeakMap();
const nameOf = (person) => person.name || person.extension;

/* Sorted anew only where somebody came, went or was renamed. */
export function sortedPeople(docs) {
  const before = sorted.get(docs) || [];
  const isSame = before.length === docs.size - (docs.has("events") ? 1 : 0);
  const now = isSame ? before.map((person) => docs.get(person.extension)) : [];
  const stands = isSame && now.every((person, index) => person && nameOf(person) === nameOf(before[index]));
  const people = stands ? now : inOrder(docs);
  sorted.set(docs, people);
  return people;
}

function inOrder(docs) {
  const people = Array.from(docs.entries())
    .filter((entry) => entry[0] !== "events")
    .map((entry) => entry[1]);
  return people.sort((one, other) => byName(nameOf(one), nameOf(other)));
}

/* A call that stands in a queue and rings or talks at somebody's phone is shown there, not twice. */
export function sortedCalls(docs) {
  const legs = [];
  const atPhones = new Set();
  docs.forEach((leg, key) => {
    if (key === "events") return;
    legs.push(leg);
    if (!leg.queue && !leg.unconfirmed) atPhones.add(leg.call);
  });
  const calls = legs.filter((leg) => !leg.queue || !atPhones.has(leg.call));
  const rank = (call) => RANKS[stateOf(call)];
  const sure = calls.filter((call) => !call.unconfirmed);
  return sure.sort((one, other) => rank(one) - rank(other) || one.started - other.started).concat(doubtful(calls));
}

/* Few, the newest first: what is really over must not fill a list of what is live. */
function doubtful(calls) {
  const found = calls.filter((call) => call.unconfirmed);
  return found.sort((one, other) => other.heard - one.heard).slice(0, MOST_UNCONFIRMED);
}

export function stateOf(call) {
  return call.unconfirmed ? "unconfirmed" : call.state;
}
