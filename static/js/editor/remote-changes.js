// Brings what others did into the board as it is here, and asks where both changed the same thing.

import { fill } from "../lib/format.js";
import { merge } from "./merge.js";
import { nameOf } from "./values.js";

export class RemoteChanges {
  /** conflicts: Conflicts; say(text, isMore). */
  constructor(work, draft, conflicts, settings, say) {
    this.work = work;
    this.draft = draft;
    this.conflicts = conflicts;
    this.settings = settings;
    this.say = say;
    this.texts = settings.editor;
  }

  /** Others left `state` on the server; both sides had begun with `base`. */
  async take(base, state) {
    const isMe = state.saved_by && state.saved_by === this.settings.me;
    const name = isMe ? this.texts.you_too : state.saved_by || this.texts.somebody;
    const steps = [{ base, theirs: state.content, name }];
    if (state.base) steps.push({ base: state.base, theirs: state.published, name: this.texts.somebody });
    for (const step of steps) await this.bring(step);
  }

  bring({ base, theirs, name }) {
    const limits = { mostRows: this.settings.limits.most_rows, leastOf: this.work.leastOf };
    const found = merge(base, theirs, this.work.content, limits);
    const accept = (choices, mine) => {
      const whole = merge(base, theirs, mine, { ...limits, choices });
      this.work.adopt(whole.content, (before) => merge(base, theirs, before, { ...limits, choices }).content);
      this.draft.change(whole.content);
      this.tell(whole.changes, name);
    };
    if (!found.conflicts.length) return accept({}, this.work.content);
    this.draft.isAsking = true;
    return this.conflicts.ask(found.conflicts, name).then((choices) => {
      this.draft.isAsking = false;
      accept(choices, this.work.content);
      const kept = Object.values(choices).pop();
      this.say(fill(kept === "mine" ? this.texts.kept_yours : this.texts.kept_theirs, { name }));
    });
  }

  tell(changes, name) {
    const { texts, settings } = this;
    const lines = changes.map(({ what, card, field }) => {
      const values = { name, card: card ? nameOf(card, settings.kinds) : "", field: field ? texts.options[field].toLowerCase() : "" };
      return fill(texts.theirs[what] || texts[what], values);
    });
    lines.forEach((text, index) => this.say(text, index > 0));
  }
}
