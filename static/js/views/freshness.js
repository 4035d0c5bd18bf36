/* What may still be shown as live. The answer is always {isKnown, since}; `since` is the last good moment, or null. */

const LIVE_MS = 12000; // no longer than this is anything live, where the interval of the readings lets it
const GRACE_MS = { most: 5000, least: 2000 };

/* How long a reading counts: two intervals and a little; queues/pacing.py knows the same. */
export function liveFor(intervalSeconds) {
  const two = 2000 * intervalSeconds;
  return Math.max(two + GRACE_MS.least, Math.min(two + GRACE_MS.most, LIVE_MS));
}

/* Queue figures: false once two readings and a little went by without one, by the server's clock. */
export function ofQueues(poll, now, isSilent) {
  if (!poll || !poll.read_at) return { isKnown: false, since: null };
  const isOld = now - poll.read_at > liveFor(poll.interval_seconds);
  return { isKnown: !isOld && !isSilent, since: poll.read_at };
}

/* Whether readings fail and are tried again, so that what rests on none of them is still looked at. */
export function isTried(poll, now) {
  if (!poll || !poll.failing_since) return false;
  return now < Math.max(poll.tried_at, poll.next_try_at || 0) + liveFor(poll.interval_seconds);
}

/* One queue: also unknown when the provider stopped naming it. */
export function ofQueue(figures, poll, now, isSilent) {
  if (!figures) return { isKnown: false, since: null };
  if (figures.missing_since) return { isKnown: false, since: figures.missing_since };
  return ofQueues(poll, now, isSilent);
}

/* People and calls: only while call events can be trusted. `heardAt` is when this page last heard from the server. */
export function ofEvents(events, isSilent, heardAt) {
  if (!events) return { isKnown: false, since: null };
  if (events.state !== "live") return { isKnown: false, since: events.since || null, state: events.state };
  return { isKnown: !isSilent, since: heardAt };
}
