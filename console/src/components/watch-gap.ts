/**
 * Between the ellipsis and the end of a name that is cut in the middle, up to one character is free, which looks like a hole: the end is moved
 * to its ellipsis by as much.
 */
import { gapAfterEllipsis } from './cut-gap';

const ellipses = new Map<string, number>();
let measuring: CanvasRenderingContext2D | null | undefined;

function ellipsisWidth(element: Element): number {
  const { font } = getComputedStyle(element);
  const known = ellipses.get(font);
  if (known !== undefined) return known;
  measuring ??= document.createElement('canvas').getContext('2d');
  if (measuring === null) return 0;
  measuring.font = font;
  const { width } = measuring.measureText('…');
  // Another font is used until the own one is loaded.
  if (document.fonts.status === 'loaded') ellipses.set(font, width);
  return width;
}

function gapOf(start: Element): number {
  const text = start.firstChild;
  if (!(text instanceof Text) || start.scrollWidth <= start.clientWidth) return 0;
  const range = document.createRange();
  range.setStart(text, 0);
  const widthOf = (characters: number): number => {
    range.setEnd(text, characters);
    return range.getBoundingClientRect().width;
  };
  return gapAfterEllipsis(start.getBoundingClientRect().width, ellipsisWidth(start), text.length, widthOf);
}

/** One for all names: a page has hundreds, of which it is told together. All are measured before any is moved. */
const observer = new ResizeObserver((entries) => {
  const gaps = entries.map(({ target }) => [target, gapOf(target)] as const);
  for (const [start, px] of gaps) {
    if (start instanceof HTMLElement) start.parentElement?.style.setProperty('--gap', `${px.toFixed(1)}px`);
  }
});

/** Keeps `--gap` of the element around the beginning of a name. @returns what ends that */
export function watchGap(start: Element | null): (() => void) | undefined {
  if (start === null) return undefined;
  observer.observe(start);
  return () => observer.unobserve(start);
}
