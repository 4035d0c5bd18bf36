// The calls in a small window above all others, where the browser has Document Picture-in-Picture. The same elements
// move there and come back, so that nothing typed or running is disturbed.

const SIZE = { width: 420, height: 620 };

export class FloatingWindow {
  #live;
  #place = document.getElementById("on-top-place");
  #onTick;
  window = null;

  /** live: the element that moves; onTick() is called once a second while it is away, for this tab's own clock may sleep. */
  constructor(live, onTick) {
    this.#live = live;
    this.#onTick = onTick;
    const button = document.getElementById("on-top");
    button.hidden = !globalThis.documentPictureInPicture;
    button.addEventListener("click", () => (this.window ? this.window.close() : this.#open()));
    document.getElementById("on-top-back").addEventListener("click", () => this.window?.close());
  }

  get hasFocus() {
    return this.window?.document.hasFocus() ?? false;
  }

  async #open() {
    let apart;
    try {
      apart = await globalThis.documentPictureInPicture.requestWindow(SIZE);
    } catch {
      return; // the browser refused: the card stays where it is
    }
    this.window = apart;
    dress(apart.document);
    this.#place.hidden = false;
    apart.document.body.append(this.#live);
    apart.setInterval(this.#onTick, 1000);
    apart.addEventListener("pagehide", () => this.#back(), { once: true });
  }

  #back() {
    this.window = null;
    this.#place.after(this.#live);
    this.#place.hidden = true;
    this.#onTick();
  }
}

/** The same language, look and style sheets; they are links, as the page's policy wants. */
function dress(apart) {
  apart.documentElement.lang = document.documentElement.lang;
  apart.documentElement.dataset.theme = document.documentElement.dataset.theme;
  apart.title = document.title;
  apart.body.className = "desk desk-apart";
  for (const sheet of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll('link[rel="stylesheet"]'))) {
    const link = apart.createElement("link");
    link.rel = "stylesheet";
    link.href = sheet.href;
    link.media = sheet.media;
    apart.head.append(link);
  }
}
