import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** Nearer to the end than this, a reader is taken to follow the response. */
const NEAR_PX = 96;

interface Grown {
  readonly content: unknown;
  /** What is said of the content, and is fetched when that is complete. */
  readonly facts: unknown;
  /** It is followed then, wherever the reader was: a question that was just sent. */
  readonly forced: unknown;
}

/** Keeps the end of a scrolled element in sight while it grows, unless the reader has scrolled away from it. */
export function useStickToBottom({ content, facts, forced }: Grown): RefObject<HTMLDivElement | null> {
  const scrolled = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const element = scrolled.current;
    if (element === null) return;
    const onScroll = () => {
      follows.current = element.scrollHeight - element.clientHeight - element.scrollTop < NEAR_PX;
    };
    const toEnd = () => {
      if (follows.current) element.scrollTop = element.scrollHeight;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    // What stands below it grew: a longer question, an offer to load the model.
    const resized = new ResizeObserver(toEnd);
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      resized.disconnect();
    };
  }, []);
  useLayoutEffect(() => {
    follows.current = true;
  }, [forced]);
  useLayoutEffect(() => {
    const element = scrolled.current;
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight;
  }, [content, facts, forced]);
  return scrolled;
}
