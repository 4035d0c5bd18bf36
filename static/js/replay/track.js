// The day as a timeline: its ribbon, gaps and alerts, and the hand that is dragged by pointer and keys.

import { keepChildren, part, setAttribute } from "../lib/dom.js";
import { clock, formatter } from "../lib/format.js";
import { hours, momentAt, placed, shareOf, stepOf, within } from "./timeline.js";

const WIDE = 1000; // units of the drawing's width
const LANE = 20; // and of each of its two lanes
const HOUR_WIDTH = 64; // px that an hour's name needs
/** @type {Intl.DateTimeFormatOptions} */
const HOUR = { hour: "numeric", hourCycle: "h23" };

export class Track {
  /** onMove(ms) hears where somebody wants to go. */
  constructor(panel, onMove) {
    this.panel = panel;
    this.root = panel.querySelector("#track");
    this.onMove = onMove;
    this.isMirrored = document.documentElement.dir === "rtl";
    this.at = 0;
    this.root.addEventListener("pointerdown", (event) => this.grab(event));
    this.root.addEventListener("pointermove", (event) => this.root.hasPointerCapture(event.pointerId) && this.drag(event));
    this.root.addEventListener("keydown", (event) => this.step(event));
    new ResizeObserver(() => this.drawHours()).observe(this.root);
  }

  /** day: as dayOf() gives it; zone: of its clock. */
  show(day, zone) {
    this.day = day;
    this.zone = zone;
    setAttribute(this.root, "aria-valuemax", (within(day, day.end) - day.begin) / 1000);
    this.root.querySelector("svg").setAttribute("viewBox", `0 0 ${WIDE} ${2 * LANE}`);
    part(this.root, "replay-late").setAttribute("d", bars(day, day.late, 0));
    part(this.root, "replay-nobody").setAttribute("d", bars(day, day.nobody, LANE));
    this.lay("replay-gaps", "replay-gap", day.gaps, (gap) => placed(day, gap));
    this.lay("replay-marks", "replay-alert", day.alerts, (mark) => ({ begin: shareOf(day, mark.at) }));
    this.drawHours();
  }

  lay(parent, name, list, placeOf) {
    const nodes = keepChildren(
      part(this.root, parent),
      list.map((_, index) => String(index)),
      () => Object.assign(document.createElement("i"), { className: name }),
    );
    nodes.forEach((node, index) => {
      const place = placeOf(list[index]);
      node.style.insetInlineStart = `${place.begin * 100}%`;
      node.style.width = place.end === undefined ? "" : `${(place.end - place.begin) * 100}%`;
    });
  }

  drawHours() {
    if (!this.day) return;
    const hourOf = (ms) => Number(formatter("hour", this.zone, HOUR, "en-GB").format(ms));
    const most = Math.max(2, Math.floor(this.root.clientWidth / HOUR_WIDTH));
    const found = hours(this.day, most, hourOf);
    const nodes = keepChildren(part(this.panel, "replay-hours"), found.map(String), () => document.createElement("span"));
    nodes.forEach((node, index) => {
      node.textContent = clock(found[index], this.zone);
      node.style.insetInlineStart = `${shareOf(this.day, found[index]) * 100}%`;
    });
  }

  /** Put the hand there; text says the moment, and what is not known of it. */
  moveTo(at, text) {
    this.at = at;
    part(this.root, "replay-hand").style.insetInlineStart = `${shareOf(this.day, at) * 100}%`;
    setAttribute(this.root, "aria-valuenow", (at - this.day.begin) / 1000);
    setAttribute(this.root, "aria-valuetext", text);
  }

  grab(event) {
    if (!this.day || event.button !== 0) return;
    this.root.setPointerCapture(event.pointerId);
    this.drag(event);
  }

  drag(event) {
    const box = this.root.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    this.onMove(momentAt(this.day, this.isMirrored ? 1 - share : share));
  }

  step(event) {
    const step = stepOf(event.key, event.shiftKey, this.isMirrored);
    if (!this.day || !step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.at = within(this.day, this.at + step); // the next key may come before this is drawn
    this.onMove(this.at);
  }
}

/* The stretches as bars on one of the two lanes. */
function bars(day, stretches, top) {
  const x = (ms) => (shareOf(day, ms) * WIDE).toFixed(2);
  return stretches.map((each) => `M${x(each.begin)} ${top}H${x(each.end)}V${top + LANE}H${x(each.begin)}Z`).join("");
}
