// The panel in which a person says when they want a card.

import { setText } from "../lib/dom.js";

/** onSaved({hide_after_seconds, opens}) is told what counts from now on. */
export function listenToRules(form, { server, texts, onSaved }) {
  const message = document.getElementById("rules-message");
  const { ignored } = form.elements;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const sent = ignored.value;
    // The numbers may have changed on another page: only the difference counts.
    const rules = { ...rulesOf(new FormData(form)), known: ignored.defaultValue };
    setText(message, texts.keeping);
    try {
      const { problem, ignored: kept } = await server.post("save_rules", rules);
      setText(message, problem || texts.rules_kept);
      message.classList.toggle("desk-note-worry", problem !== "");
      if (!problem) {
        onSaved(rules);
        // A process of the release before answers without them.
        if (kept !== undefined && ignored.value === sent) {
          showIgnored(kept);
        } else {
          ignored.defaultValue = sent; // typed on meanwhile
        }
      }
    } catch {
      setText(message, texts.save_failed);
      message.classList.add("desk-note-worry");
    }
  });
}

/** The numbers as they are stored now. */
export function showIgnored(text) {
  const field = /** @type {HTMLTextAreaElement} */ (document.getElementById("rules-ignored"));
  field.defaultValue = field.value = text;
}

function rulesOf(data) {
  return {
    pop: data.get("pop"),
    shows_internal: data.has("shows_internal"),
    hide_after_seconds: Number(data.get("hide_after_seconds")),
    opens: Number(data.get("opens")) || null,
    ignored: data.get("ignored"),
  };
}
