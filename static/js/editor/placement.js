// Where cards may stand: pure arithmetic on cards {id, x, y, w, h}. Cards are never changed, only replaced.

export const COLUMNS = 12;

export function touches(one, other) {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}

export function isInside(card, rows) {
  return card.x >= 0 && card.y >= 0 && card.x + card.w <= COLUMNS && card.y + card.h <= rows;
}

export function inReadingOrder(cards) {
  return [...cards].sort((one, other) => one.y - other.y || one.x - other.x);
}

/** The lowest row that any card reaches. */
export function bottomOf(cards) {
  return cards.reduce((lowest, card) => Math.max(lowest, card.y + card.h), 0);
}

/** The free place for the card that is nearest to where it stands, or null. */
function nearestPlace(card, cards, rows) {
  let best = null;
  for (let y = 0; y + card.h <= rows; y += 1) {
    for (let x = 0; x + card.w <= COLUMNS; x += 1) {
      const distance = Math.abs(x - card.x) * 1.5 + Math.abs(y - card.y);
      if (best && distance >= best.distance) continue;
      const there = { ...card, x, y };
      if (!cards.some((each) => touches(each, there))) best = { card: there, distance };
    }
  }
  return best && best.card;
}

/** The first free place in reading order, at the wanted size or, where that is too large, smaller down to the least. */
export function firstPlace(card, cards, rows, least) {
  for (const size of sizesDownTo(card, least)) {
    for (let y = 0; y + size.h <= rows; y += 1) {
      for (let x = 0; x + size.w <= COLUMNS; x += 1) {
        const there = { ...card, ...size, x, y };
        if (!cards.some((each) => touches(each, there))) return there;
      }
    }
  }
  return null;
}

function sizesDownTo(card, least) {
  const sizes = [];
  for (let h = card.h; h >= least.h; h -= 1) {
    for (let w = card.w; w >= least.w; w -= 1) sizes.push({ w, h });
  }
  return sizes.sort((one, other) => other.w * other.h - one.w * one.h);
}

/**
 * Put one card where it is wanted and let the others make room: by moving to the nearest free place, with `shrinks`
 * rather by giving up the strip that it takes of them. Answers the cards in their old order and the ids of those that
 * made room, or null where there is no room.
 */
export function put(wanted, cards, rows, leastOf, { shrinks = false } = {}) {
  if (!isInside(wanted, rows)) return null;
  const others = cards.filter((card) => card.id !== wanted.id);
  const placed = new Map([[wanted.id, wanted]]);
  others.filter((card) => !touches(card, wanted)).forEach((card) => placed.set(card.id, card));
  const inTheWay = inReadingOrder(others.filter((card) => touches(card, wanted)));
  for (const card of inTheWay) {
    const standing = [...placed.values()];
    const found = (shrinks && shrunk(card, wanted, leastOf(card))) || nearestPlace(card, standing, rows);
    if (!found) return null;
    placed.set(card.id, found);
  }
  const isNew = cards.length === others.length;
  const order = isNew ? [...cards, wanted] : cards;
  return { cards: order.map((card) => placed.get(card.id)), moved: inTheWay.map((card) => card.id) };
}

/** The card without the strip that the wanted one takes of it, or null where too little would be left. */
function shrunk(card, wanted, least) {
  const right = { ...card, x: wanted.x + wanted.w, w: card.x + card.w - wanted.x - wanted.w };
  const left = { ...card, w: wanted.x - card.x };
  const below = { ...card, y: wanted.y + wanted.h, h: card.y + card.h - wanted.y - wanted.h };
  const above = { ...card, h: wanted.y - card.y };
  const large = [right, left, below, above].filter((each) => each.w >= least.w && each.h >= least.h);
  return large.sort((one, other) => other.w * other.h - one.w * one.h)[0] || null;
}

/** One step at a time in a direction until the card can stand there: so it passes a neighbour by changing places. */
export function step(card, dx, dy, cards, rows, leastOf) {
  let wanted = { ...card, x: card.x + dx, y: card.y + dy };
  if (!isInside(wanted, rows)) return { reason: "at_edge" };
  while (isInside(wanted, rows)) {
    const found = put(wanted, cards, rows, leastOf);
    if (found) return { ...found, card: wanted };
    wanted = { ...wanted, x: wanted.x + dx, y: wanted.y + dy };
  }
  return { reason: "no_room" };
}

/** The same cards without overlap: the first of the list stay, a later one takes the nearest free place or new rows. */
export function settled(cards, rows, mostRows, leastOf) {
  const standing = [];
  const movedIds = [];
  const lost = [];
  let height = Math.max(rows, Math.min(mostRows, bottomOf(cards)));
  for (const card of cards) {
    const fits = isInside(card, height) && !standing.some((each) => touches(each, card));
    let place = fits ? card : nearestPlace(card, standing, height);
    while (!place && height < mostRows) {
      height += 1;
      place = nearestPlace(card, standing, height);
    }
    place = place || firstPlace(card, standing, height, leastOf(card));
    if (place) standing.push(place);
    else lost.push(card);
    if (place && place !== card) movedIds.push(card.id);
  }
  const order = cards.map((card) => standing.find((each) => each.id === card.id)).filter(Boolean);
  return { cards: order, rows: height, movedIds, lost };
}
