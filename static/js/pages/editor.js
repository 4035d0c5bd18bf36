// The editor's page: joins the board being made with its drawing, its settings, its draft and whoever else edits it.

import { BoardPanel } from "../editor/board-panel.js";
import { CardPanel } from "../editor/card-panel.js";
import { Conflicts } from "../editor/conflicts.js";
import { CardFigures } from "../editor/card-figures.js";
import { Draft } from "../editor/draft.js";
import { DraftStatus } from "../editor/draft-status.js";
import { DragIn } from "../editor/drag-in.js";
import { Handles } from "../editor/handles.js";
import { CardPicker } from "../editor/card-picker.js";
import { Images } from "../editor/images.js";
import { listenForUndo, onCardKey } from "../editor/keys.js";
import { Preview } from "../editor/preview.js";
import { RemoteChanges } from "../editor/remote-changes.js";
import { Side } from "../editor/side.js";
import { isGrid } from "../editor/values.js";
import { BoardEdit } from "../editor/board-edit.js";
import { LiveSocket } from "../live/socket.js";
import "../views/cards.js";
import { updateTheme } from "../views/frame.js";
import { oncePerFrame } from "../lib/once-per-frame.js";

const settings = JSON.parse(document.getElementById("page").textContent);
const texts = settings.editor;
const root = document.getElementById("content");
/** Any of the page's parts and controls. @type {(name: string) => HTMLInputElement} */
const part = (name) => root.querySelector("." + name);
let trial = null; // cards as they would stand while one is dragged
let isOver = false;

const soon = oncePerFrame(update);
const work = new BoardEdit(settings.state.content, settings, {
  changed: () => {
    draft.change(work.content);
    soon();
  },
  say,
});
const status = new DraftStatus(part, settings);
const draft = new Draft(settings, {
  status: (name, values) => status.show(name, values, draft.held.is_draft || draft.isDirty),
  theirs: takeTheirs,
  editors: (names, me) => status.showEditors(names, me),
  gone: boardGone,
});
const pictures = new Images(settings, () => draft.csrf);
const remoteChanges = new RemoteChanges(work, draft, new Conflicts(document.getElementById("conflicts"), settings), settings, say);
const socket = new LiveSocket(settings.socket, { onNews: soon, onStatus: soon });
const counted = new CardFigures(
  (name, body) => draft.post(name, body),
  () => work.layout,
  soon,
);
const preview = new Preview(part("preview"), settings, socket, counted);
const cardPanel = new CardPanel(part("card-panel"), work, settings, pictures);
const boardPanel = new BoardPanel(part("board-panel"), work, settings);
const handles = new Handles(part("preview-handles"), settings, {
  select: (id) => {
    if (id === work.selected) return;
    work.select(id);
    update(); // at once: what is typed next must meet the fields of this card
  },
  open: () => {
    update();
    cardPanel.focus();
  },
  tried: (card, shrinks) => work.tried(card, shrinks),
  trial: show,
  size: () => work.layout,
  drop,
  keys: (event, id) => onCardKey(event, id, work, remove),
});
const side = new Side(part, work);
const dragIn = new DragIn({ work, handles, screen: part("preview-screen"), settings, show });
const picker = new CardPicker(part("picker-cards"), settings.kinds, {
  add: (kind) => work.add(kind),
  over: (kind, x, y) => dragIn.over(kind, x, y),
  drop: (kind, x, y) => dragIn.drop(kind, x, y),
  cancel: () => dragIn.cancel(),
});

function update() {
  if (isOver) return;
  const { content } = work;
  updateTheme(content.theme);
  const shown = trial ? { ...content, layout: { ...content.layout, cards: trial } } : content;
  const isByHand = isGrid(content.layout);
  handles.update(preview.update(shown), work.selected);
  side.update();
  part("editor-body").classList.toggle("is-automatic", !isByHand);
  part("preview-empty").hidden = !isByHand || content.layout.cards.length > 0;
  cardPanel.update();
  boardPanel.update();
  part("undo").disabled = !work.history.past.length;
  part("redo").disabled = !work.history.future.length;
}

/** The status line; what belongs to the step before is added to it. */
function say(text, isMore = false) {
  const node = part("editor-message");
  node.textContent = isMore && node.textContent ? `${node.textContent}. ${text}` : text;
}

function show(cards) {
  trial = cards;
  update();
}

/* Only the place is taken from what was dragged: somebody else may have changed the card meanwhile. */
function drop(wanted, shrinks, before) {
  const now = work.card(before.id);
  if (!now) return;
  if (!wanted) work.say("no_room", now);
  else work.place({ ...now, x: wanted.x, y: wanted.y, w: wanted.w, h: wanted.h }, shrinks);
}

function remove(id) {
  work.remove(id);
  update();
  if (work.selected) handles.focus(work.selected);
  else picker.focus();
}

listenForUndo(work);
part("card-panel").addEventListener("keydown", (event) => event.key === "Escape" && handles.focus(work.selected));

async function takeTheirs(base, state) {
  await remoteChanges.take(base, state);
  const known = new Set(settings.pictures.map((picture) => picture.id));
  if (work.cards.every((card) => !card.image || known.has(card.image))) return;
  settings.pictures = await pictures.list();
  soon();
}

function boardGone() {
  isOver = true;
  say(texts.removed_board);
  status.boardGone();
}

part("preview-handles").addEventListener("click", (event) => event.target === event.currentTarget && work.select(null));
part("undo").addEventListener("click", () => work.undo());
part("redo").addEventListener("click", () => work.redo());
part("publish").addEventListener("click", async () => {
  if (await draft.publish()) say(texts.now_published);
});
part("discard").addEventListener("click", async () => {
  if (!(await draft.discard())) return;
  work.become(draft.content);
  say(texts.discarded);
});
part("shapes").addEventListener("change", (event) => {
  preview.shape = /** @type {HTMLInputElement} */ (event.target).value;
  part("preview-note").hidden = preview.isEditable;
  part("preview-help").hidden = !preview.isEditable;
  update();
});
window.addEventListener("resize", soon);
window.addEventListener("beforeunload", (event) => {
  if (isOver || draft.leave()) return;
  event.preventDefault();
  event.returnValue = ""; // older browsers ask only for this
});
window.addEventListener("pagehide", () => draft.sayGoodbye());
window.setInterval(soon, 1000);
new ResizeObserver(soon).observe(part("preview-room"));
if (settings.state.base) takeTheirs(settings.state.content, settings.state);
draft.tell();
draft.look();
root.hidden = false;
update();
