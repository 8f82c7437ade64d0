/** How high the rows of a long table are. */
import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';

/** With one line of text. */
export const ROW_PX = 45;

/**
 * Measures the rows of a table again that has another width now. What was measured at the width before is wrong, and more so what was
 * measured at the new one with the columns of the old one: nothing would correct it in rows that have left the window since. Those below it
 * count as high as those that are in it; those above stay as they are, so that whoever reads far below goes on there.
 */
export function useHeightsOfWidth(virtualizer: Virtualizer<Window, HTMLTableSectionElement>, width: number): void {
  const measuredAt = useRef(width);
  useLayoutEffect(() => {
    if (measuredAt.current === width) return;
    measuredAt.current = width;
    const drawn = [...virtualizer.elementsCache.values()]
      .filter(({ isConnected }) => isConnected)
      .map((row) => ({ index: virtualizer.indexFromElement(row), height: row.offsetHeight }));
    if (drawn.length === 0) return;
    for (const { index, height } of drawn) virtualizer.resizeItem(index, height);
    const usual = Math.round(drawn.reduce((sum, { height }) => sum + height, 0) / drawn.length);
    const { count, getItemKey } = virtualizer.options;
    for (let index = Math.max(...drawn.map((row) => row.index)) + 1; index < count; index += 1) {
      if (virtualizer.itemSizeCache.has(getItemKey(index))) virtualizer.resizeItem(index, usual);
    }
  }, [virtualizer, width]);
}
