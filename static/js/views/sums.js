/* Several queues in one line: waiting is the sum, longest the maximum, average weighted by who waits. Agents are never summed. */

/* The longest wait as it is now: it goes on between two readings, but only while somebody waits. */
export function longestNow(figures, readAt, now) {
  if (!figures.waiting || figures.longest_wait === null) return null;
  return figures.longest_wait + Math.max(0, Math.floor((now - readAt) / 1000));
}

export function averageNow(figures) {
  return figures.waiting ? figures.average_wait : null;
}

/* Whether somebody waits whose wait nothing tells: that is not the same as none. */
export function isHidden(figures, wait) {
  return Boolean(figures.waiting) && wait === null;
}

export function totals(list, readAt, now) {
  const waits = list.map((figures) => longestNow(figures, readAt, now)).filter((wait) => wait !== null);
  const waiting = list.reduce((sum, figures) => sum + figures.waiting, 0);
  const weighed = list.filter((figures) => figures.waiting && figures.average_wait !== null);
  const heads = weighed.reduce((sum, figures) => sum + figures.waiting, 0);
  const waited = weighed.reduce((sum, figures) => sum + figures.waiting * figures.average_wait, 0);
  // A wait of a period, told in place of one of now.
  const lately = list.reduce((most, figures) => Math.max(most, figures.longest_lately || 0), 0);
  const longest = waits.length ? Math.max.apply(null, waits) : null;
  const average = heads ? Math.round(waited / heads) : null;
  const hidden = { longest: isHidden({ waiting }, longest), average: isHidden({ waiting }, average) };
  return { waiting, lately, longest, average, hidden };
}
