/**
 * What an ellipsis leaves free at the end of its place: the browser shows whole characters before it.
 * @param widthOf so many characters of the beginning, in CSS pixels
 * @returns 0 where everything has room
 */
export function gapAfterEllipsis(
  placePx: number,
  ellipsisPx: number,
  length: number,
  widthOf: (characters: number) => number,
): number {
  if (widthOf(length) <= placePx) return 0;
  let fitting = 0;
  for (let beyond = length; fitting + 1 < beyond;) {
    const middle = (fitting + beyond) >> 1;
    if (widthOf(middle) + ellipsisPx <= placePx) fitting = middle;
    else beyond = middle;
  }
  return Math.max(0, placePx - ellipsisPx - widthOf(fitting));
}
