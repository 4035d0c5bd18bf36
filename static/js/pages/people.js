/* The page of all people: joins the feed with the list, and keeps favourites on the server. */
import { LiveSocket } from "../live/socket.js";
import { keepChildren, setHidden, setText } from "../lib/dom.js";
import { fill, noteOf } from "../lib/format.js";
import { counted } from "../lib/plurals.js";
import { postJson } from "../lib/requests.js";
import { ofEvents } from "../views/freshness.js";
import { makeMember, updateMember } from "../views/member.js";
import { Members } from "../views/members.js";
import { reloadWhenChanged } from "../views/changed-page.js";
import { showSentAway } from "../views/sent-away.js";
import { partiesOf } from "../views/parties.js";
import { statusText } from "../views/status.js";
import { oncePerFrame } from "../lib/once-per-frame.js";

const STEP = 100;
const settings = JSON.parse(document.getElementById("page").textContent);
/** @type {(id: string) => HTMLInputElement} */
const by = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));
const members = new Members(settings.favourites);
let shown = STEP;
const soon = oncePerFrame(update);
const socket = new LiveSocket(settings.socket, { onNews: soon, onStatus: soon });

function update() {
  const isAway = showSentAway(socket.closedCode);
  reloadWhenChanged(socket);
  const parties = partiesOf(socket.store.docs(settings.calls));
  const page = { now: socket.serverNow(), zone: settings.zone, texts: settings.texts, own: settings.own, parties };
  const documents = socket.store.docs("people");
  const fresh = ofEvents(documents.get("events"), socket.isSilentAbout("people"), socket.status.silentSince);
  setHidden(by("members-waiting"), socket.store.isKnown("people"));
  if (!socket.store.isKnown("people")) return;
  members.take(documents);
  const kind = /** @type {HTMLInputElement} */ (document.querySelector("[name=show]:checked")).value;
  const found = members.found(by("find").value, kind, fresh.isKnown, page.now);
  setText(by("members-doubt"), fresh.isKnown ? "" : fill(page.texts.no_events, { note: noteOf(fresh, page) }));
  setHidden(by("members-doubt"), fresh.isKnown || isAway);
  draw(found, fresh.isKnown, page);
  count(found, fresh.isKnown, page);
  showOwnStatus(documents.get(settings.own), page);
}

function draw(found, isTrusted, page) {
  const list = found.slice(0, shown);
  const rows = keepChildren(
    by("members"),
    list.map((each) => each.person.extension),
    makeMember,
  );
  rows.forEach((row, index) => {
    const person = list[index].person;
    updateMember(row, person, members.favourites.has(person.extension), isTrusted, page);
  });
  setHidden(by("members-more"), found.length <= shown);
  setText(by("members-more"), fill(page.texts.more, { n: Math.min(STEP, found.length - shown) }));
  setHidden(by("members-none"), found.length > 0 || members.all.length === 0);
  setHidden(by("members-nobody"), members.all.length > 0);
}

function count(found, isTrusted, page) {
  const counts = members.counts(isTrusted, page.now);
  const isWhole = found.length === members.all.length;
  setText(
    by("members-count"),
    isWhole ? counted(page.texts.everybody, found.length) : fill(page.texts.found, { n: found.length, of: members.all.length }),
  );
  for (const choice of /** @type {NodeListOf<HTMLInputElement>} */ (document.getElementsByName("show"))) {
    const number = counts[choice.value] || 0;
    const isMeasured = ["all", "status", "favourites"].indexOf(choice.value) === -1;
    setText(choice.parentElement.querySelector(".members-n"), isMeasured && !isTrusted ? "" : String(number));
  }
}

function showOwnStatus(person, page) {
  const status = person ? statusText(person, page) : "";
  setText(by("own-status-text"), status && person.status.note ? status + " · " + person.status.note : status);
  setHidden(by("own-status-text"), !status);
  setHidden(by("clear-status"), !status);
}

async function keep(star) {
  const extension = star.closest("[data-key]").getAttribute("data-key");
  const isFavourite = star.getAttribute("aria-pressed") !== "true";
  members.star(extension, isFavourite);
  update();
  Array.from(by("members").children)
    .find((row) => row.getAttribute("data-key") === extension)
    ?.querySelector("button")
    .focus();
  const { ok } = await postJson(settings.keep, { extension, is_favourite: isFavourite }, settings.csrf);
  if (ok) return;
  members.star(extension, !isFavourite);
  update();
  setText(by("members-count"), settings.texts.not_kept);
}

function onlyWhenAtATime() {
  setHidden(by("until-field"), by("back").value !== "at");
  by("until").required = by("back").value === "at";
}

by("members").addEventListener("click", (event) => {
  const star = /** @type {Element} */ (event.target).closest(".member-star");
  if (star) keep(star);
});
by("members-more").addEventListener("click", () => {
  shown += STEP;
  update();
});
for (const part of [by("find"), ...document.getElementsByName("show")]) {
  part.addEventListener("input", () => {
    shown = STEP;
    update();
  });
}
by("back").addEventListener("change", onlyWhenAtATime);
onlyWhenAtATime();
window.setInterval(soon, 1000);
