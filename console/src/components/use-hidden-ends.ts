import { useEffect, useState, type RefObject } from 'react';

export type HiddenEnds = 'start' | 'end' | 'both' | undefined;

/** Fractions of a pixel are left where a page is zoomed. */
const ROUNDING_PX = 1;

type Scrolled = Pick<HTMLElement, 'scrollLeft' | 'scrollWidth' | 'clientWidth'>;

export function hiddenEnds({ scrollLeft, scrollWidth, clientWidth }: Scrolled): HiddenEnds {
  const before = scrollLeft > ROUNDING_PX;
  const after = scrollWidth - clientWidth - scrollLeft > ROUNDING_PX;
  if (before && after) return 'both';
  if (before) return 'start';
  return after ? 'end' : undefined;
}

/** Of an element that scrolls sideways: where it goes on, so that this can be shown. Its content is its only child. */
export function useHiddenEnds(element: RefObject<HTMLElement | null>): HiddenEnds {
  const [hidden, setHidden] = useState<HiddenEnds>();
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const look = () => setHidden(hiddenEnds(current));
    const observer = new ResizeObserver(look);
    observer.observe(current);
    if (current.firstElementChild !== null) observer.observe(current.firstElementChild);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, [element]);
  return hidden;
}
