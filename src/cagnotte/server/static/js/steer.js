// The arrow keys in a field of boxes: cards of a hand, places of a spread.

/** Move the focus among boxes to the nearest one in the direction of an arrow key. @param {KeyboardEvent} event @param {string} boxes */
export function steer(event, boxes) {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: null, End: null }[event.key];
  const here = /** @type {HTMLElement} */ (event.target).closest(boxes);
  if (way === undefined || !here || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const all = /** @type {HTMLElement[]} */ ([.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll(boxes)]);
  if (!way) return all.at(event.key === "Home" ? 0 : -1)?.focus();
  const [x = 0, y = 0] = way;
  const middle = (/** @type {Element} */ box) => {
    const { left, top, width, height } = box.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x0 = 0, y0 = 0] = middle(here);
  let best = Infinity;
  let next = null;
  for (const box of all) {
    const [x1 = 0, y1 = 0] = middle(box);
    const along = (x1 - x0) * x + (y1 - y0) * y;
    const aside = Math.abs((x1 - x0) * y) + Math.abs((y1 - y0) * x);
    if (along > 4 && along + 3 * aside < best) [best, next] = [along + 3 * aside, box];
  }
  next?.focus();
}
