import { useEffect, useLayoutEffect, useRef } from 'react';

/** Nearer to the end than this, a reader is taken to follow the response. */
const NEAR_PX = 96;

/** Keeps the end of the page in sight while it grows, unless the reader has scrolled away from it. */
export function useStickToBottom(content: unknown, forced: unknown): void {
  const follows = useRef(true);
  useEffect(() => {
    const onScroll = () => {
      const { scrollHeight, clientHeight } = document.documentElement;
      follows.current = scrollHeight - clientHeight - globalThis.scrollY < NEAR_PX;
    };
    globalThis.addEventListener('scroll', onScroll, { passive: true });
    return () => globalThis.removeEventListener('scroll', onScroll);
  }, []);
  // A question that was just sent is followed, wherever the reader was.
  useLayoutEffect(() => {
    follows.current = true;
  }, [forced]);
  useLayoutEffect(() => {
    if (follows.current) globalThis.scrollTo({ top: document.documentElement.scrollHeight });
  }, [content, forced]);
}
