/* The alerts on top of a page: what, where, since when, who acknowledged it. */
import { fromTemplate, keepChildren, part, setAttribute, setData, setHidden, setPartText, setText } from "../lib/dom.js";
import { clock, fill, span } from "../lib/format.js";
import { titleOf, whyOf, wordOf } from "./list.js";

/* list: as openAlerts() gives it; page: {now, zone, asOf, most}; asOf is set (ms) while what is shown may be old. */
export function updateBar(bar, list, texts, page) {
  setHidden(bar, list.length === 0);
  setData(bar, "old", Boolean(page.asOf));
  const shown = list.slice(0, page.most);
  const rows = keepChildren(
    part(bar, "alert-list"),
    shown.map((each) => String(each.id)),
    () => fromTemplate("alert"),
  );
  rows.forEach((row, index) => updateRow(row, shown[index], texts, page));
  const more = part(bar, "alert-more");
  setHidden(more, shown.length === list.length);
  setText(more, fill(texts.more, { n: list.length - shown.length }));
}

function updateRow(row, each, texts, page) {
  setData(row, "level", each.level);
  setData(row, "acknowledged", Boolean(each.acknowledged_at));
  setPartText(row, "alert-word", wordOf(each, texts));
  setPartText(row, "alert-name", page.nameOf(each));
  setPartText(row, "alert-why", whyOf(each, texts));
  setPartText(row, "alert-for", timeOf(each, texts, page));
  setPartText(row, "alert-acknowledged", acknowledgedBy(each, texts, page));
  const act = part(row, "alert-act");
  if (!act) return;
  setHidden(act, Boolean(each.acknowledged_at));
  setData(act, "alert", each.id);
  setAttribute(act, "aria-label", fill(texts.acknowledge_one, { name: page.nameOf(each) || titleOf(each, texts, "") }));
}

function timeOf(each, texts, page) {
  if (page.asOf) return fill(texts.as_of, { time: clock(page.asOf, page.zone, page.now) });
  return fill(texts.for, { span: span((page.now - each.since) / 1000, texts) });
}

function acknowledgedBy(each, texts, page) {
  if (!each.acknowledged_at) return "";
  return fill(texts.acknowledged, { name: each.acknowledged_by, time: clock(each.acknowledged_at, page.zone, page.now) });
}
