/* The sound is turned on and off by hand, and this browser remembers it; on a TV a supervisor does that from afar. */

const STORED_AS = "wallboard.sound";

/* By a person's hand: on with a test tone, or off. */
export function toggle(sound) {
  const isBlocked = sound.state === "blocked";
  if (!isBlocked) sound.want(!sound.isWanted);
  remember(sound.isWanted);
  if (sound.isWanted) sound.resume().then(() => sound.play("late"));
}

/* Whether somebody turned the sound on in this browser before. */
export function wasWanted() {
  try {
    return localStorage.getItem(STORED_AS) === "1";
  } catch (error) {
    return false; // storage is switched off
  }
}

function remember(isWanted) {
  try {
    localStorage.setItem(STORED_AS, isWanted ? "1" : "");
  } catch (error) {
    // Without storage it holds until the page is left.
  }
}
