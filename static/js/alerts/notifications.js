/* What reaches somebody who looks elsewhere: the title of the tab, and after consent a notification that leads back. */
import { fill, span } from "../lib/format.js";
import { titleOf, whyOf, wordOf } from "./list.js";

export class Notifications {
  constructor(texts) {
    this.texts = texts;
    this.title = document.title;
    this.shown = new Map();
    this.isFirst = true;
  }

  get mayAsk() {
    return isSecureContext && "Notification" in window && Notification.permission === "default";
  }

  ask() {
    return Notification.requestPermission();
  }

  /* list: those that nobody has acknowledged; page: {now, nameOf}. */
  update(list, page) {
    const first = list[0];
    const title = first ? titleOf(first, this.texts, page.nameOf(first)) + " · " + this.title : this.title;
    if (document.title !== title) document.title = title;
    list.filter((each) => !this.shown.has(each.id)).forEach((each) => this.notify(each, page));
    const ids = new Set(list.map((each) => each.id));
    this.shown.forEach((notice, id) => {
      if (ids.has(id)) return;
      if (notice) notice.close();
      this.shown.delete(id);
    });
  }

  /* One per alert over all tabs of the browser: they share the tag. */
  notify(each, page) {
    this.shown.set(each.id, null);
    if (document.hasFocus() || !("Notification" in window) || Notification.permission !== "granted") return;
    const level = wordOf(each, this.texts);
    const since = fill(this.texts.notice, { span: span((page.now - each.since) / 1000, this.texts), level });
    const why = whyOf(each, this.texts);
    const notice = new Notification(titleOf(each, this.texts, page.nameOf(each)), {
      body: since + (why ? ", " + why : ""),
      tag: "alert-" + each.id,
    });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
    this.shown.set(each.id, notice);
  }
}
