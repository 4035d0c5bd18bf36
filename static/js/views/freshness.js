/* What may still be shown as live. The answer is always {isKnown, since}; `since` is the last good moment, or null. */

const GRACE_MS = 5000;

/* Queue figures: false once two readings and five seconds went by without one, by the server's clock. */
export function ofQueues(poll, now, isSilent) {
  if (!poll || !poll.read_at) return { isKnown: false, since: null };
  const isOld = now - poll.read_at > 2000 * poll.interval_seconds + GRACE_MS;
  return { isKnown: !isOld && !isSilent, since: poll.read_at };
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
