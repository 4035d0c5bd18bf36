/* The line above a board: its open alerts, or how the board stands, and what no messages go out about. */
import { knownOpen, numbersOf, openAlerts } from "./list.js";
import { updateBar } from "./bar.js";
import { part, setData, setHidden, setPartText, setText } from "../lib/dom.js";
import { coming, fill } from "../lib/format.js";
import { fontVersion } from "../views/ruler.js";
import { stateOf } from "../views/state-line.js";

/* shown: {state, page} as the board is drawn; letters: how many one alert needs, with its button; as many alerts stand beside each
other. Answers {open, page}: what nobody has acknowledged, and what its texts are written with. */
export function updateLine(line, store, shown, texts, letters) {
  const { state, page } = shown;
  const isOld = state.isSilent || !state.fresh.isKnown;
  const numbers = numbersOf(state.board.layout);
  const list = openAlerts(store.docs("alerts"), numbers);
  const queues = store.docs("queues");
  const nameOf = (each) => (queues.get("about:" + each.queue) || {}).name || each.name;
  const bar = part(line, "alert-bar");
  const muted = [];
  queues.forEach((mute, key) => {
    if (!key.startsWith("mute:")) return;
    const queue = key.slice(5); // "" stands for everything
    // A mute ends by this page's own clock; it is said of these queues, or of all (null).
    if (mute.until <= page.now || (queue && numbers && !numbers.has(queue))) return;
    if (queue && !queues.has("about:" + queue)) return; // off every board
    muted.push(
      fill(texts.muted, {
        name: queue ? nameOf({ queue, name: queue }) : texts.everything,
        time: coming(mute.until, page.zone, page.now),
        reason: mute.reason,
      }),
    );
  });
  const node = part(line, "alert-muted");
  setText(node, muted.join(", "));
  Object.assign(page, { most: mostBeside(line, node, letters), asOf: isOld ? state.fresh.since : 0, nameOf });
  updateBar(bar, list, texts, page);
  const found = stateOf(state, page);
  const kind = list.length && found.kind !== "outage" ? "alerts" : found.kind; // nobody knows whether these alerts still are
  setHidden(bar, kind !== "alerts");
  setData(line, "line", kind);
  setPartText(line, "alert-line-main", found.text);
  setPartText(line, "alert-line-more", found.more || "");
  const known = knownOpen(store.docs("alerts"), numbers, state.fresh.isKnown, state.poll, page.now);
  return { open: state.isSilent ? [] : known.list, page };
}

/* How many alerts have room beside the mutes. Measured only where that may have changed: the page has just been drawn, and a browser
that is asked for a width then lays all of it out first. */
function mostBeside(line, muted, letters) {
  const from = [muted.textContent, innerWidth, innerHeight, fontVersion()].join(" ");
  if (line.measuredFrom !== from) {
    const room = (innerWidth - muted.offsetWidth) / parseFloat(getComputedStyle(line).fontSize) / letters;
    line.most = Math.min(3, Math.floor(room)) || 1;
    line.measuredFrom = from;
  }
  return line.most;
}
