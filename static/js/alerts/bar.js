/* The attentions on top of a page: what, where, since when, who takes care of it. */
import { fromTemplate, keepChildren, mark, part, say, setAttribute, setHidden, setText } from "../views/dom.js";
import { clock, fill, span } from "../views/format.js";

/* list: as attentions() gives it; page: {now, zone, asOf, most}; asOf is set (ms) while what is shown may be old. */
export function updateBar(bar, list, words, page) {
  setHidden(bar, list.length === 0);
  mark(bar, "old", Boolean(page.asOf));
  const shown = list.slice(0, page.most);
  const rows = keepChildren(part(bar, "attention-list"), shown.map((each) => String(each.id)), () => fromTemplate("attention"));
  rows.forEach((row, index) => updateRow(row, shown[index], words, page));
  const more = part(bar, "attention-more");
  setHidden(more, shown.length === list.length);
  setText(more, fill(words.more, { n: list.length - shown.length }));
}

function updateRow(row, each, words, page) {
  mark(row, "level", each.level);
  mark(row, "taken", Boolean(each.acknowledged_at));
  say(row, "attention-word", words.levels[each.level] || each.level);
  say(row, "attention-name", page.nameOf(each));
  say(row, "attention-why", words.reasons[each.reason] || "");
  say(row, "attention-for", timeOf(each, words, page));
  say(row, "attention-taken", takenBy(each, words, page));
  const act = part(row, "attention-act");
  if (!act) return;
  setHidden(act, Boolean(each.acknowledged_at));
  mark(act, "alert", each.id);
  setAttribute(act, "aria-label", fill(words.acknowledge_one, { name: page.nameOf(each) }));
}

function timeOf(each, words, page) {
  if (page.asOf) return fill(words.as_of, { time: clock(page.asOf, page.zone, page.now) });
  return fill(words.for, { span: span((page.now - each.since) / 1000, words) });
}

function takenBy(each, words, page) {
  if (!each.acknowledged_at) return "";
  return fill(words.taken, { name: each.acknowledged_by, time: clock(each.acknowledged_at, page.zone, page.now) });
}

/* Acknowledge what is clicked. The page holds Django's token against foreign posts in its form for signing out. */
export function listenToBar(bar, words) {
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("[data-alert]");
    if (button) acknowledge(bar, button, words);
  });
}

function acknowledge(bar, button, words) {
  const failed = part(bar, "attention-failed");
  button.disabled = true;
  setHidden(failed, true);
  fetch("/alerts/" + button.getAttribute("data-alert") + "/acknowledge/", {
    method: "POST",
    credentials: "same-origin",
    redirect: "manual",
    headers: { "X-CSRFToken": document.querySelector("[name=csrfmiddlewaretoken]").value },
  })
    .then((answer) => answer.ok || answer.status === 404)
    .catch(() => false)
    .then((isTold) => {
      button.disabled = false;
      setText(failed, isTold ? "" : words.failed);
      setHidden(failed, isTold);
    });
}
