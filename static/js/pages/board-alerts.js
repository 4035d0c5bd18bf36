/* The attentions on a board: on top of it, in the tab's title, as a notification, and to be heard. */
import { attentions, calling, numbersOf } from "../alerts/list.js";
import { listenToBar, updateBar } from "../alerts/bar.js";
import { Notices } from "../alerts/notices.js";
import { Sound, wasWanted } from "../alerts/sound.js";
import { mark, setAttribute, setHidden, setText } from "../views/dom.js";
import { fill } from "../views/format.js";
import { settings, shown, socket, soon } from "./board.js";

const own = settings.alerts;
const ROW_OF = 400; // of a window's height there may be one row to that many pixels, so that the board keeps its room
const bar = document.getElementById("attentions");
const button = document.getElementById("sound");
const consent = document.getElementById("notify");
const notices = new Notices(own.words);
export const sound = new Sound(showSound);
let heard = "";
let wasHidden = true;

function update() {
  const state = shown.state;
  const isOld = state.isSilent || !state.fresh.isKnown;
  const list = attentions(socket.store.docs("alerts"), numbersOf(state.board.layout));
  const open = isOld ? [] : calling(list);
  const page = { now: shown.page.now, zone: shown.page.zone, most: Math.max(1, Math.min(3, Math.floor(innerHeight / ROW_OF))), asOf: isOld ? state.fresh.since : 0, nameOf };
  updateBar(bar, list, own.words, page);
  notices.update(open, page);
  sound.update(open);
  speak(open);
  showSound();
  if (bar.hidden !== wasHidden) soon(); // the board below has another height now
  wasHidden = bar.hidden;
}

function nameOf(each) {
  const about = socket.store.docs("queues").get("about:" + each.queue);
  return (about && about.name) || each.name;
}

function speak(open) {
  const text = open.map((each) => fill(own.words.title, { level: own.words.levels[each.level], name: nameOf(each) })).join(". ");
  if (text === heard) return;
  heard = text;
  setText(document.getElementById("attention-heard"), text);
}

function showSound() {
  if (!button) return;
  const state = sound.state;
  const words = own.words;
  setHidden(button, state === "absent" || (settings.isTv && state !== "blocked"));
  mark(button, "state", state);
  const blocked = settings.isTv ? words.sound_blocked : words.sound_blocked_here;
  setText(button.lastElementChild, { off: words.sound_off, on: words.sound_on, blocked, absent: "" }[state]);
  if (!settings.isTv) setAttribute(button, "aria-pressed", state === "on");
  if (consent) setHidden(consent, !notices.mayAsk);
}

if (own.may) listenToBar(bar, own.words);
if (button && !settings.isTv) button.addEventListener("click", () => sound.toggle());
if (consent) consent.addEventListener("click", () => notices.ask().then(showSound));
document.addEventListener("board-drawn", update);
sound.want(settings.isTv ? own.sound : wasWanted());
if (shown.state) update();
