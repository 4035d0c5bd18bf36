/* Draws any layout into any element of any size: the board page does, and the editor's preview. */
import { boxesOf } from "./boxes.js";
import { keepChildren, part, px, setAttribute, setData, setVariable } from "../lib/dom.js";
import { fill } from "../lib/format.js";
import { KINDS, STACK, templateOf } from "./card-kinds.js";
import { fontVersion } from "./ruler.js";
import { isMissing, nameOf } from "./card-scope.js";

/* root: an element whose size decides; `texts` of the page; `zone` of the company; where its `images` lie; onNeed(cards) hears which cards want
figures that the board's feed does not hold (a draft's, say). The page needs templates/boards/_card_templates.html. */
export function makeGrid(root, options) {
  let needed = "";
  let planned = {};
  root.classList.add("cards");

  /* layout: either form; data: what readState gives; page: {now, isSmall}. Answers whether all of it fits without scrolling. */
  function update(layout, data, page) {
    const whole = Object.assign({ texts: options.texts, zone: options.zone, images: options.images || "", isShort: true }, page);
    const room = page.room || { width: root.clientWidth, height: root.clientHeight };
    const plan = planOf(layout, data, room, whole);
    const cards = keepChildren(
      root,
      plan.boxes.map((box) => box.card.kind + " " + box.card.id),
      make,
    );
    plan.boxes.forEach((box, index) => draw(cards[index], box, plan, data, whole));
    ask(plan, data);
    return !plan.isStack && plan.height <= room.height;
  }

  /* Sizes depend only on the room, the names and the font, never on the figures, so they are rarely sought anew. */
  function planOf(layout, data, room, page) {
    const isSmall = Boolean(page.isSmall && STACK.plan);
    const names = data.queues.map(nameOf).join("|") + "|" + data.people.map((person) => person.name).join("|");
    const key = [room.width, room.height, isSmall, data.queues.length, data.people.length, fontVersion(), names].join(" ");
    if (planned.key !== key || planned.layout !== layout || !planned.plan.boxes.length) {
      planned = { key, layout, plan: boxesOf(layout, data, room, isSmall, page) };
      lay(planned.plan, room);
    }
    return planned.plan;
  }

  function lay(plan, room) {
    setData(root, "flow", plan.isStack ? "scroll" : "fit");
    setVariable(root, "--unit", plan.unit.toFixed(3) + "px"); // a tenth of a px is much of it
    setVariable(root, "--gap", px(plan.gap));
    const height = plan.height > room.height ? px(plan.height) : "";
    if (root.style.height !== height) root.style.height = height;
  }

  function ask(plan, data) {
    if (!options.onNeed) return;
    const missing = plan.boxes.map((box) => box.card).filter((card) => isMissing(card, data));
    const key = JSON.stringify(missing);
    if (missing.length && key !== needed) options.onNeed(missing);
    needed = key;
  }

  return { update };
}

function make(key) {
  const kind = key.split(" ")[0];
  const template = /** @type {HTMLTemplateElement} */ (templateOf(kind));
  const node = /** @type {HTMLElement} */ (template.content.firstElementChild.cloneNode(true));
  setData(node, "kind", kind);
  return node;
}

function draw(node, box, plan, data, page) {
  const kind = KINDS[box.card.kind];
  const count = kind.count ? kind.count(box.card, data) : 0;
  if (node.sizedFor !== box || node.sizedCount !== count) {
    node.sizedFor = box;
    node.sizedCount = count;
    place(node, box, plan);
    if (plan.isStack && !kind.stacked) STACK.unsize(node, kind, box.width);
    else kind.size(node, plan.isStack ? Object.assign({}, box, { height: kind.stacked }) : box, plan, count, data, page);
  }
  node.card = box.card;
  kind.update(node, box.card, data, page);
  const about = node.lastElementChild;
  if (about.getAttribute("data-about") === "card")
    setAttribute(about, "aria-label", fill(page.texts.explain, { name: part(node, "card-title").textContent }));
}

function place(node, box, plan) {
  const kind = KINDS[box.card.kind];
  const side = document.documentElement.dir === "rtl" ? "right" : "left";
  const at = plan.isStack
    ? { height: kind.stacked ? px(kind.stacked) : "" }
    : { top: px(box.y), width: px(box.width), height: px(box.height) };
  at[side] = plan.isStack ? "" : px(box.x);
  Object.assign(node.style, plan.isStack ? { top: "", width: "" } : {}, at);
}
