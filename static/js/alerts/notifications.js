/* What reaches somebody who looks elsewhere: the title of the tab, and after consent a notification that leads back. */
import { fill, span } from "../lib/format.js";

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
    const title = first ? fill(this.texts.title, this.valuesOf(first, page)) + " · " + this.title : this.title;
    if (document.title !== title) document.title = title;
    list.filter((each) => !this.shown.has(each.id)).forEach((each) => this.notify(each, page));
    const ids = new Set(list.map((each) => each.id));
    this.shown.forEach((notice, id) => {
      if (ids.has(id)) return;
      if (notice) notice.close();
      this.shown.delete(id);
    });
  }

  valuesOf(each, page) {
    return { level: this.texts.levels[each.level] || each.level, name: page.nameOf(each) };
  }

  /* One per alert over all tabs of the browser: they share the tag. */
  notify(each, page) {
    this.shown.set(each.id, null);
    if (document.hasFocus() || !("Notification" in window) || Notification.permission !== "granted") return;
    const values = this.valuesOf(each, page);
    const since = fill(this.texts.notice, Object.assign({ span: span((page.now - each.since) / 1000, this.texts) }, values));
    const why = this.texts.reasons[each.reason];
    const notice = new Notification(fill(this.texts.title, values), { body: since + (why ? ", " + why : ""), tag: "alert-" + each.id });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
    this.shown.set(each.id, notice);
  }
}
