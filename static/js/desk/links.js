// The administrator's links on a card: opened by a click, or one of them by itself in the page that is looked at.

const KEY = "desk.opened";
const MOST_KEPT = 50;

export function showLinks(parent, links) {
  parent.hidden = links.length === 0;
  parent.replaceChildren(...links.map(anchor));
}

/** Open the link that the person wants opened, once per call, and never behind their back. */
export function openByItself(entry, linkId, hasFocus) {
  const link = entry.card.links.find(({ id }) => id === linkId);
  if (!link || entry.state === "ended" || !hasFocus || wasOpened(entry.call)) {
    return;
  }
  window.open(link.href, "_blank", "noopener,noreferrer");
}

function wasOpened(call) {
  const calls = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  sessionStorage.setItem(KEY, JSON.stringify([...calls.filter((one) => one !== call), call].slice(-MOST_KEPT)));
  return calls.includes(call);
}

function anchor({ name, href }) {
  const element = document.createElement("a");
  element.className = "button-quiet";
  element.textContent = name;
  element.href = href;
  element.target = "_blank";
  element.rel = "noopener noreferrer";
  return element;
}
