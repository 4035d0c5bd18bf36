/* Drawing that follows news: however many come, once before the browser's next picture. */

/**
 * @param {() => void} draw
 * @returns {() => void} plans one call of draw; does nothing while one is planned
 */
export function oncePerFrame(draw) {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    window.requestAnimationFrame(() => {
      isPlanned = false;
      draw();
    });
  };
}
