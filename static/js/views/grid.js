/* Draws any layout into any element of any size: the board page does, and the editor's preview. */
import { boxesOf } from "./boxes.js";
import { keepChildren, mark, part, px, setAttribute, setVariable } from "./dom.js";
import { fill } from "./format.js";
import { kindOf, templateOf } from "./kinds.js";
import { isMissing } from "./scope.js";

/* root: an element whose size decides; `words` of the page; `zone` of the company; where its `images` lie; onNeed(cards) hears which cards want
figures that the board's feed does not hold (a draft's, say). The page needs templates/boards/_card_templates.html. */
export function makeGrid(root, options) {
  let needed = "";
  let planned = {};
  root.classList.add("cards");

  /* layout: either form; data: what readState gives; page: {now, isSmall}. Answers whether all of it fits without scrolling. */
  function update(layout, data, page) {
    const whole = Object.assign({ words: options.words, zone: options.zone, images: options.images || "", isShort: true }, page);
    const room = page.room || { width: root.clientWidth, height: root.clientHeight };
    const plan = planOf(layout, data, room, Boolean(page.isSmall));
    lay(plan, room);
    const cards = keepChildren(root, plan.boxes.map((box) => box.card.kind + " " + box.card.id), make);
    plan.boxes.forEach((box, index) => draw(cards[index], box, plan, data, whole));
    ask(plan, data);
    return !plan.isStack && plan.height <= room.height;
  }

  /* Sizes depend only on the room and on how many things there are, never on the figures, so they are rarely sought anew. */
  function planOf(layout, data, room, isSmall) {
    const key = [room.width, room.height, isSmall, data.queues.length, data.people.length].join(" ");
    if (planned.key !== key || planned.layout !== layout || !planned.plan.boxes.length) {
      planned = { key, layout, plan: boxesOf(layout, data, room, isSmall) };
    }
    return planned.plan;
  }

  function lay(plan, room) {
    mark(root, "flow", plan.isStack ? "scroll" : "fit");
    setVariable(root, "--unit", px(plan.unit));
    setVariable(root, "--gap", px(plan.gap));
    const height = plan.height > room.height ? px(plan.height) : "";
    if (root.style.height !== height) root.style.height = height;
  }

  function ask(plan, data) {
    const missing = plan.boxes.map((box) => box.card).filter((card) => isMissing(card, data));
    const key = JSON.stringify(missing);
    if (options.onNeed && missing.length && key !== needed) options.onNeed(missing);
    needed = key;
  }

  return { update };
}

function make(key) {
  const kind = key.split(" ")[0];
  const node = templateOf(kind).content.firstElementChild.cloneNode(true);
  mark(node, "kind", kind);
  return node;
}

function draw(node, box, plan, data, page) {
  const kind = kindOf(box.card.kind);
  if (!kind) return;
  const count = kind.count ? kind.count(box.card, data) : 0;
  const key = [box.x, box.y, box.width, box.height, plan.unit, plan.isStack, count, box.card.size, box.card.title].join(" ");
  if (node.sizedFor !== key) {
    node.sizedFor = key;
    place(node, box, plan);
    if (plan.isStack && !kind.stacked) unsize(node, kind);
    else kind.size(node, plan.isStack ? Object.assign({}, box, { height: kind.stacked }) : box, plan, count);
  }
  node.card = box.card;
  kind.update(node, box.card, data, page);
  const about = node.lastElementChild;
  if (about.getAttribute("data-about") === "card") setAttribute(about, "aria-label", fill(page.words.explain, { name: part(node, "card-title").textContent }));
}

/* Where the page scrolls, the style sheet lays a card out. */
function unsize(node, kind) {
  node.style.cssText = "";
  node.rows = kind.rows || Infinity;
  const loose = { variant: kind.loose || "", high: false, room: "wide", head: "titled", columns: "few", flat: false };
  Object.keys(loose).forEach((name) => setAttribute(node, "data-" + name, loose[name]));
}

function place(node, box, plan) {
  const kind = kindOf(box.card.kind);
  const side = document.documentElement.dir === "rtl" ? "right" : "left";
  const at = plan.isStack ? { height: kind.stacked ? px(kind.stacked) : "" } : { top: px(box.y), width: px(box.width), height: px(box.height) };
  at[side] = plan.isStack ? "" : px(box.x);
  Object.assign(node.style, plan.isStack ? { top: "", width: "" } : {}, at);
}
