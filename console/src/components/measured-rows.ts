/** How high the rows of a long table are. */
import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';

/** With one line of text. */
export const ROW_PX = 45;

type Rows = Virtualizer<Window, HTMLTableSectionElement>;

/**
 * Measures the rows of a table again that has another width now. What was measured at the width before is wrong, and more so what was
 * measured at the new one with the columns of the old one: nothing would correct it in rows that have left the window since. They count as
 * high as those that are in it.
 * @param estimated of rows that are not measured
 */
export function useHeightsOfWidth(virtualizer: Rows, width: number, estimated: { current: number }): void {
  const measuredAt = useRef(width);
  useLayoutEffect(() => {
    if (measuredAt.current === width) return;
    measuredAt.current = width;
    const drawn = [...virtualizer.elementsCache.values()]
      .filter(({ isConnected }) => isConnected)
      .map((row) => ({ index: virtualizer.indexFromElement(row), box: row.getBoundingClientRect() }));
    if (drawn.length === 0) return;
    estimated.current = Math.round(drawn.reduce((sum, { box }) => sum + box.height, 0) / drawn.length);
    virtualizer.measure();
    for (const { index, box } of drawn) virtualizer.resizeItem(index, Math.round(box.height));
    // Whoever reads far below goes on there.
    const read = drawn.filter(({ box }) => box.bottom > 0).toSorted((one, other) => one.index - other.index)[0];
    if (read !== undefined && read.box.top < 0) virtualizer.scrollToIndex(read.index, { align: 'start' });
  }, [virtualizer, width, estimated]);
}
