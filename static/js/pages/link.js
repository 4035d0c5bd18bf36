// The page on which somebody waits to be linked: looks every few seconds whether the waiting is over.

const PAUSE_MS = 4000;

async function isOver(url) {
  const answer = await fetch(url, { headers: { Accept: "application/json" } });
  return answer.ok && (await answer.json()).is_over;
}

async function look(url) {
  try {
    if (!document.hidden && (await isOver(url))) {
      location.reload();
      return;
    }
  } catch {
    // Offline for a moment: the next look tells.
  }
  setTimeout(look, PAUSE_MS, url);
}

const waiting = document.getElementById("waiting");
if (waiting) {
  setTimeout(look, PAUSE_MS, waiting.dataset.stateUrl);
}
