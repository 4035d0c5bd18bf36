// Figures that the server counts, for cards that stand in the draft only: the board's feed has those that are published.

const QUIET_MS = 400;
const AGAIN_MS = 60000;

export class CardFigures {
  /** post(name, body) resolves to {ok, figures}; layout() is the board's now; onNews() is called when there are new ones. */
  constructor(post, layout, onNews) {
    this.post = post;
    this.layout = layout;
    this.onNews = onNews;
    this.figures = new Map();
    this.ids = new Set();
    setInterval(() => this.ask(), AGAIN_MS);
  }

  /** These cards show nothing yet. */
  need(cards) {
    cards.forEach((card) => this.ids.add(card.id));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), QUIET_MS);
  }

  async ask() {
    const { rows, cards = [] } = this.layout();
    const wanted = cards.filter((card) => this.ids.has(card.id));
    if (!wanted.length || document.visibilityState === "hidden") return;
    const answer = await this.post("figures", { layout: { rows, cards: wanted } });
    if (!answer.ok) return;
    this.keep(answer.figures);
    this.onNews();
  }

  keep(figures) {
    Object.entries(figures).forEach(([key, figure]) => this.figures.set(key, figure));
  }

  /** The feed's figures and ours; the feed's where both were counted for the same. */
  with(told) {
    const all = new Map(told);
    this.figures.forEach((figure, key) => {
      const known = told.get(key);
      if (!known || known.of !== figure.of) all.set(key, figure);
    });
    return all;
  }
}
