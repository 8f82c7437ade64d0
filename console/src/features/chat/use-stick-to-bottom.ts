import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** Nearer to the end than this, a reader is taken to follow the response. */
const NEAR_PX = 96;

/** Keeps the end of a scrolled element in sight while it grows, unless the reader has scrolled away from it. Its content is its only child. */
export function useStickToBottom(content: unknown, forced: unknown): RefObject<HTMLDivElement | null> {
  const scrolled = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const element = scrolled.current;
    if (element === null) return;
    const look = () => {
      follows.current = element.scrollHeight - element.clientHeight - element.scrollTop < NEAR_PX;
    };
    // What the reader unfolds stays where it is.
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('summary') === null) return;
      follows.current = false;
      // In the next frame it is laid out, in the one after that it has been.
      requestAnimationFrame(() => requestAnimationFrame(look));
    };
    element.addEventListener('scroll', look, { passive: true });
    element.addEventListener('click', onClick);
    return () => {
      element.removeEventListener('scroll', look);
      element.removeEventListener('click', onClick);
    };
  }, []);
  // A question that was just sent is followed, wherever the reader was.
  useLayoutEffect(() => {
    follows.current = true;
  }, [forced]);
  useEffect(() => {
    const element = scrolled.current;
    if (element === null) return;
    const resized = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
    });
    // What stands below it grew: a longer question, an offer to load the model.
    resized.observe(element);
    // What is said of a response is fetched when that is complete.
    if (element.firstElementChild !== null) resized.observe(element.firstElementChild);
    return () => resized.disconnect();
  }, [forced]);
  useLayoutEffect(() => {
    const element = scrolled.current;
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight;
  }, [content, forced]);
  return scrolled;
}
