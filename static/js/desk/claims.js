// Which page of the person shows a call: cards are asked for, kept alive, and given back when the page goes.
import { withTimes } from "../lib/times.js";
import { Refused } from "./server.js";

const RENEW_MS = 8_000;
const HIDDEN_WAITS_MS = 150; // of two open pages the one that is looked at should get the call
const UNFOCUSED_WAITS_MS = 40;

export class Claims {
  #server;
  #page;
  #zone;
  #attention;
  #renewedAt = 0;

  /** attention() says how this page is looked at: "focused", "visible" or "hidden". */
  constructor(server, { page, zone, attention }) {
    this.#server = server;
    this.#page = page;
    this.#zone = zone;
    this.#attention = attention;
  }

  /** The card, after a short courtesy towards the page that is being looked at. Null: not this person's call any more. */
  async ask(leg, take) {
    const waits = { focused: 0, visible: UNFOCUSED_WAITS_MS, hidden: HIDDEN_WAITS_MS };
    const wait = take ? 0 : waits[this.#attention()];
    if (wait) {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    try {
      return this.#withTimes(await this.#server.post("pop", { leg, page: this.#page, take }));
    } catch (problem) {
      if (problem instanceof Refused && problem.status === 404) {
        return null;
      }
      throw problem;
    }
  }

  /** The same card for the contact that the person chose: the history over all its numbers. Undefined where that fails. */
  async askAbout(leg, contact) {
    const answer = await this.#server.post("pop", { leg, page: this.#page, take: true, contact }).catch(() => null);
    return this.#withTimes(answer)?.card;
  }

  /** These calls were put away. */
  close(calls) {
    this.#server.post("close", { page: this.#page, calls }).catch(() => {});
  }

  /** The page goes: another one may show what it showed. */
  release() {
    this.#server.post("release", { page: this.#page }, { keepalive: true }).catch(() => {});
  }

  /** All news are new: claims are renewed with the next beat. */
  distrust() {
    this.#renewedAt = 0;
  }

  /** Whether it is time to renew; timers sleep in hidden tabs, so news ask, too. */
  get isDue() {
    return Date.now() - this.#renewedAt >= RENEW_MS;
  }

  /** Keep the claims of these calls alive; the calls that another page shows by now. */
  async renew(calls) {
    this.#renewedAt = Date.now();
    if (!calls.length) {
      return [];
    }
    const answer = await this.#server.post("renew", { page: this.#page, calls }).catch(() => null);
    return answer?.lost ?? [];
  }

  /** The answer with the times of day in its sentences. */
  #withTimes(answer) {
    if (answer?.card) {
      answer.card.sentences = answer.card.sentences.map((line) => withTimes(line, this.#zone));
    }
    return answer;
  }
}
