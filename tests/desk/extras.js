// Stands in for what a headless browser has no hands for; everything else is the real thing.
globalThis.heard = { tones: 0, badges: [] };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...moment) {
  globalThis.heard.tones += 1;
  return start.apply(this, moment);
};
Object.defineProperty(navigator, "setAppBadge", {
  value: async (count) => void globalThis.heard.badges.push(count),
});
