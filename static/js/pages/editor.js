// The editor's page: joins the board being made with its drawing, its settings, its draft and whoever else edits it.

import { BoardPanel } from "../editor/board-panel.js";
import { CardPanel } from "../editor/card-panel.js";
import { Conflicts } from "../editor/conflicts.js";
import { CardFigures } from "../editor/card-figures.js";
import { along, from } from "../editor/direction.js";
import { Draft } from "../editor/draft.js";
import { Handles } from "../editor/handles.js";
import { CardPicker } from "../editor/card-picker.js";
import { Images } from "../editor/images.js";
import { Preview } from "../editor/preview.js";
import { RemoteChanges } from "../editor/remote-changes.js";
import { isGrid } from "../editor/values.js";
import { BoardEdit } from "../editor/board-edit.js";
import { LiveSocket } from "../live/socket.js";
import { clock, fill } from "../lib/format.js";
import { updateTheme } from "../views/frame.js";

const settings = JSON.parse(document.getElementById("page").textContent);
const texts = settings.editor;
const root = document.getElementById("content");
/** Any of the page's parts and controls. @type {(name: string) => HTMLInputElement} */
const part = (name) => root.querySelector("." + name);
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let trial = null; // cards as they would stand while one is dragged
let isPlanned = false;
let isOver = false;

const work = new BoardEdit(settings.state.content, settings, {
  changed: () => {
    draft.change(work.content);
    soon();
  },
  say,
});
const draft = new Draft(settings, { status: showDraft, theirs: takeTheirs, editors: showEditors, gone: boardGone });
const pictures = new Images(settings, () => draft.csrf);
const remoteChanges = new RemoteChanges(work, draft, new Conflicts(document.getElementById("conflicts"), settings), settings, say);
const socket = new LiveSocket(settings.socket, { onNews: soon, onStatus: soon });
const counted = new CardFigures((name, body) => draft.post(name, body), () => work.layout, soon);
const stage = new Preview(part("stage"), settings, socket, counted);
const cardPanel = new CardPanel(part("card-panel"), work, settings, pictures);
const boardPanel = new BoardPanel(part("board-panel"), work, settings);
const handles = new Handles(part("stage-handles"), settings, {
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
  keys,
});
const palette = new CardPicker(part("palette-cards"), settings.kinds, {
  add: (kind) => work.add(kind),
  over: (kind, x, y) => over(kind, cellAt(kind, x, y)),
  drop: (kind, x, y) => {
    const cell = cellAt(kind, x, y);
    cancel();
    if (cell) work.add(kind, cell);
  },
  cancel,
});

function soon() {
  if (isPlanned) return;
  isPlanned = true;
  window.requestAnimationFrame(() => {
    isPlanned = false;
    update();
  });
}

function update() {
  if (isOver) return;
  const { content } = work;
  updateTheme(content.theme);
  const shown = trial ? { ...content, layout: { ...content.layout, cards: trial } } : content;
  const isByHand = isGrid(content.layout);
  handles.update(stage.update(shown), work.selected);
  showSide();
  part("editor-body").classList.toggle("is-automatic", !isByHand);
  part("stage-empty").hidden = !isByHand || content.layout.cards.length > 0;
  cardPanel.update();
  boardPanel.update();
  part("undo").disabled = !work.history.past.length;
  part("redo").disabled = !work.history.future.length;
}

/* A card that gets selected brings its settings forward. */
let sideOf = null;

function showSide() {
  const tabs = part("side-tabs");
  const tab = (value) => /** @type {HTMLInputElement} */ (tabs.querySelector(`[value=${value}]`));
  tabs.hidden = !isGrid(work.layout);
  if (work.selected !== sideOf) tab(work.selected ? "card" : "board").checked = true;
  sideOf = work.selected;
  const isCard = tab("card").checked;
  part("card-side").hidden = !isCard;
  part("board-side").hidden = isCard;
  part("card-none").hidden = Boolean(work.selected);
}

/** The status line; what belongs to the step before is added to it. */
function say(text, isMore = false) {
  const node = part("said");
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

/* Dragged from the palette */

function cellAt(kind, x, y) {
  const { cell, origin } = handles.plan;
  const box = part("stage-screen").getBoundingClientRect();
  if (!cell || x < box.left || x > box.right || y < box.top || y > box.bottom) return null;
  const { usual_width: w, usual_height: h } = settings.kinds[kind];
  const between = (value, most) => Math.max(0, Math.min(most, value));
  const column = Math.round((from(box, x) - origin.x) / cell.width - w / 2);
  const row = Math.round((y - box.top - origin.y) / cell.height - h / 2);
  const height = Math.min(h, work.layout.rows);
  return { x: between(column, settings.limits.columns - w), y: between(row, work.layout.rows - height), w, h: height };
}

function over(kind, cell) {
  const card = cell && work.fresh(kind);
  const found = card && work.tried({ ...card, ...cell, id: "new" });
  show(found ? found.cards : null);
  handles.haunt(card && !found ? { ...card, ...cell } : null);
}

function cancel() {
  handles.haunt(null);
  show(null);
}

/* Keys */

function keys(event, id) {
  const by = STEPS[event.key];
  if (by && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    const [x, y] = [along() * by[0], by[1]];
    if (event.shiftKey) work.resize(id, x, y);
    else work.move(id, x, y);
  } else if (event.key === "Delete" || event.key === "Backspace") {
    event.preventDefault();
    remove(id);
  }
}

function remove(id) {
  work.remove(id);
  update();
  if (work.selected) handles.focus(work.selected);
  else palette.focus();
}

document.addEventListener("keydown", (event) => {
  const isText = /** @type {Element} */ (event.target).matches("input:not([type=checkbox], [type=radio], [type=file]), textarea");
  const key = event.key.toLowerCase();
  if (isText || document.querySelector("dialog[open]") || !(event.ctrlKey || event.metaKey)) return;
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) work.redo();
  else work.undo();
});
part("card-panel").addEventListener("keydown", (event) => event.key === "Escape" && handles.focus(work.selected));

/* The draft and the others */

function showDraft(name, values) {
  const node = part("draft-state");
  const time = values.at ? clock(values.at, settings.zone, Date.now()) : "";
  const isOthers = name === "saved" && values.name && values.name !== settings.me;
  node.textContent = fill(texts[isOthers ? "saved_by" : name], { ...values, time });
  node.dataset.state = ["not_saved", "signed_out", "refused"].includes(name) ? "bad" : name;
  const waits = draft.held.is_draft || draft.isDirty;
  part("publish").disabled = !waits;
  part("discard").disabled = !waits;
}

async function takeTheirs(base, state) {
  await remoteChanges.take(base, state);
  const known = new Set(settings.pictures.map((picture) => picture.id));
  if (work.cards.every((card) => !card.image || known.has(card.image))) return;
  settings.pictures = await pictures.list();
  soon();
}

function showEditors(names, me) {
  const others = names.map((name) => (name === me ? texts.you_too : name || texts.somebody));
  const text = others.length ? fill(texts[others.length > 1 ? "also_here_many" : "also_here"], { names: others.join(", ") }) : "";
  if (part("others").textContent !== text) part("others").textContent = text;
}

function boardGone() {
  isOver = true;
  say(texts.removed_board);
  part("draft-state").textContent = texts.removed_board;
}

part("side-tabs").addEventListener("change", showSide);
part("stage-handles").addEventListener("click", (event) => event.target === event.currentTarget && work.select(null));
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
  stage.shape = /** @type {HTMLInputElement} */ (event.target).value;
  part("stage-note").hidden = stage.isEditable;
  part("stage-help").hidden = !stage.isEditable;
  update();
});
window.addEventListener("resize", soon);
document.addEventListener("kind-loaded", soon); // the script of a kind of card that was not on the board before
window.addEventListener("beforeunload", (event) => {
  if (isOver || draft.leave()) return;
  event.preventDefault();
  event.returnValue = ""; // older browsers ask only for this
});
window.addEventListener("pagehide", () => draft.sayGoodbye());
window.setInterval(soon, 1000);
new ResizeObserver(soon).observe(part("stage-room"));
if (settings.state.base) takeTheirs(settings.state.content, settings.state);
draft.tell();
draft.look();
root.hidden = false;
update();
