/* Everything the views need, taken from the documents as they are now. */
import { queuesWithAlerts } from "../alerts/list.js";
import { ofEvents, ofQueue, ofQueues } from "./freshness.js";
import { partiesOf } from "./parties.js";
import { byName, sortedCalls, sortedPeople } from "./sorting.js";

const placed = new WeakMap();
const FIGURES_MS = 180000; // figures of the board come every minute; after three without, they are old

/* settings: {feeds: {board, calls}}; layout: either form; page: {now}. Answers what makeGrid's update takes. */
export function readState(socket, settings, layout, page) {
  const status = socket.status;
  const isSilent = (feed) => status.isSilent || (status.doubted || []).includes(feed);
  const docs = socket.store.docs("queues");
  const people = socket.store.docs("people");
  const calls = socket.store.docs(settings.feeds.calls);
  const own = socket.store.docs(settings.feeds.board);
  const poll = docs.get("poll");
  const today = own.get("today");
  const isQueuesSilent = isSilent("queues");
  const queues = placesOf(docs).map((place) => queueOf(place, docs, poll, page.now, isQueuesSilent));
  const byNumber = new Map(queues.map((queue) => [queue.number, queue]));
  return {
    board: newer(own.get("board"), settings.board),
    figures: own,
    isSilent: isSilent(settings.feeds.board) || isSilent("alerts"),
    isOpen: status.open,
    heardAt: status.silentSince,
    poll,
    fresh: ofQueues(poll, page.now, isQueuesSilent),
    events: ofEvents(people.get("events"), isSilent("people"), status.silentSince),
    callEvents: ofEvents(calls.get("events"), isSilent(settings.feeds.calls), status.silentSince),
    today,
    todayFresh: isFresh(today, page.now, isSilent(settings.feeds.board)),
    byNumber,
    alarmed: queuesWithAlerts(socket.store.docs("alerts")),
    queues: chosen(queues, byNumber, layout.cards ? null : layout.queues),
    namesQueues: Boolean(!layout.cards && layout.queues),
    people: sortedPeople(people),
    calls: sortedCalls(calls),
    parties: partiesOf(calls),
  };
}

/* A figure that the server counts each minute. */
export function isFresh(figure, now, isSilent) {
  return Boolean(figure) && now - figure.at < FIGURES_MS && !isSilent;
}

export function newer(one, other) {
  return one && one.version >= other.version ? one : other;
}

/* The queues of those numbers in that order, or all in the company's order; one that is not there, or off every board, is left out. */
export function chosen(queues, byNumber, numbers) {
  const wanted = numbers ? numbers.map((number) => byNumber.get(number)) : queues;
  return wanted.filter((queue) => queue && queue.about);
}

function queueOf(place, docs, poll, now, isSilent) {
  const figures = docs.get(place.queue);
  return {
    number: place.number,
    figures,
    about: docs.get(place.about),
    trend: docs.get(place.trend),
    fresh: ofQueue(figures, poll, now, isSilent),
    readAt: poll ? poll.read_at : 0,
  };
}

/* The keys of every queue that is known at all, those with a place in the company's order first; sorted anew only where that may
have changed. */
function placesOf(docs) {
  const before = placed.get(docs);
  if (before && isPlacedAs(docs, before)) return before.places;
  const places = inOrder(docs);
  placed.set(docs, { keys: Array.from(docs.keys()), places });
  return places;
}

function isPlacedAs(docs, before) {
  if (docs.size !== before.keys.length) return false;
  let index = 0;
  for (const key of docs.keys()) if (key !== before.keys[index++]) return false;
  return before.places.every((place) => orderOf(docs.get(place.about)) === place.order);
}

function orderOf(about) {
  return about ? about.order : Infinity;
}

function placeOf(docs, number) {
  const about = "about:" + number;
  return { number, queue: "queue:" + number, about, trend: "trend:" + number, order: orderOf(docs.get(about)) };
}

function inOrder(docs) {
  const numbers = new Set();
  docs.forEach((doc, key) => {
    if (key.indexOf("queue:") === 0 || key.indexOf("about:") === 0) numbers.add(key.slice(6));
  });
  const places = Array.from(numbers, (number) => placeOf(docs, number));
  return places.sort((one, other) => one.order - other.order || byName(one.number, other.number));
}
