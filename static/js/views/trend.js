/* The last hour of callers waiting as a line without axes, and the last day as a ribbon of quarter hours. */
import { setAttribute } from "./dom.js";

const HEIGHT = 20;
const CALM_TOP = 4; // so that one caller more or less does not look like a mountain
const WIDTH = 59;
export const LONG_ENOUGH = 2; // minutes with data; one is a speck, not a trend
const NARROWEST = 15; // minutes that the width stands for on the first day, when there is no hour yet
const SLIVER = { 0: 0.34, 1: 0.68, 2: 1 };

/* From the first minute with data to now. The line breaks where there was no data. */
export function line(hour) {
  const first = hour.findIndex((value) => value !== null);
  const values = hour.slice(Math.max(0, Math.min(first, hour.length - NARROWEST)));
  const stride = WIDTH / (values.length - 1);
  const top = Math.max(CALM_TOP, ...values.filter((value) => value !== null));
  let isDrawing = false;
  return values.reduce((path, value, index) => {
    if (value === null) {
      isDrawing = false;
      return path;
    }
    const y = (HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1);
    const step = (isDrawing ? "L" : "M") + (index * stride).toFixed(1) + " " + y;
    isDrawing = true;
    return path + step;
  }, "");
}

/* One path of slivers per level; the height tells the level as well as the colour does. */
export function slivers(quarters, level) {
  return quarters.reduce((path, quarter, index) => {
    if (quarter !== level) return path;
    const height = SLIVER[level];
    return path + "M" + (index + 0.1) + " " + (1 - height) + "h.8v" + height + "h-.8z";
  }, "");
}

export function updateTrend(svg, trend) {
  if (svg.drawn === trend) return;
  svg.drawn = trend;
  const isLong = Boolean(trend) && trend.waiting.filter((value) => value !== null).length >= LONG_ENOUGH;
  setAttribute(svg.firstElementChild, "d", isLong ? line(trend.waiting) : "");
}

export function updateRibbon(svg, trend) {
  if (svg.drawn === trend) return;
  svg.drawn = trend;
  const quarters = trend ? trend.late : [];
  [0, 1, 2].forEach((level) => setAttribute(svg.children[level], "d", slivers(quarters, level)));
}
