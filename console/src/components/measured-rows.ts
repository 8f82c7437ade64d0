/** How high the rows of a long table are. */
import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';

/** With one line of text, as long as no row was measured. */
const ROW_PX = 45;

/**
 * How high rows are that were not drawn yet: as those that were, on average. Cards are twice as high as rows, and a page that grows while one
 * scrolls has no end that one can see, or jump to.
 */
export class RowEstimate {
  /** Of the virtualizer, once there is one. */
  sizes: ReadonlyMap<unknown, number> = new Map();
  #measured = 0;
  #px = ROW_PX;

  /** Asked for each row after each measurement: the average is taken when another row was measured. */
  readonly size = (): number => {
    if (this.sizes.size !== this.#measured) this.renew();
    return this.#px;
  };

  /** Also where the rows that were measured have other heights now. */
  renew(): void {
    this.#measured = this.sizes.size;
    const sum = [...this.sizes.values()].reduce((total, size) => total + size, 0);
    this.#px = this.#measured === 0 ? ROW_PX : Math.round(sum / this.#measured);
  }
}

export function useRowEstimate(): RowEstimate {
  const [estimate] = useState(() => new RowEstimate());
  return estimate;
}

/**
 * Measures the rows of a table again that has another width now. What was measured at the width before is wrong, and more so what was
 * measured at the new one with the columns of the old one: nothing would correct it in rows that have left the window since. Those below it
 * count as high as those that are in it; those above stay as they are, so that whoever reads far below goes on there.
 */
export function useHeightsOfWidth(
  virtualizer: Virtualizer<Window, HTMLTableSectionElement>,
  estimate: RowEstimate,
  width: number,
): void {
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
    estimate.renew();
  }, [virtualizer, estimate, width]);
}
