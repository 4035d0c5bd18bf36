/* What reaches somebody who looks elsewhere: the title of the tab, and after consent a notification that leads back. */
import { fill, span } from "../views/format.js";

export class Notices {
  constructor(words) {
    this.words = words;
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

  /* list: those that nobody took; page: {now, nameOf}. */
  update(list, page) {
    const first = list[0];
    const title = first ? fill(this.words.title, this.valuesOf(first, page)) + " · " + this.title : this.title;
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
    return { level: this.words.levels[each.level] || each.level, name: page.nameOf(each) };
  }

  /* One per attention over all tabs of the browser: they share the tag. */
  notify(each, page) {
    this.shown.set(each.id, null);
    if (document.hasFocus() || !("Notification" in window) || Notification.permission !== "granted") return;
    const values = this.valuesOf(each, page);
    const since = fill(this.words.notice, Object.assign({ span: span((page.now - each.since) / 1000, this.words) }, values));
    const why = this.words.reasons[each.reason];
    const notice = new Notification(fill(this.words.title, values), { body: since + (why ? ", " + why : ""), tag: "alert-" + each.id });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
    this.shown.set(each.id, notice);
  }
}
