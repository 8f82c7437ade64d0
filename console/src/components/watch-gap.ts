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

interface Cut {
  readonly start: HTMLElement;
  readonly gapPx: number;
  /** Not even its first character has room: the end follows an ellipsis of its own. */
  readonly isHeadless: boolean;
}

function measure(start: HTMLElement): Cut {
  const text = start.firstChild;
  const whole = { start, gapPx: 0, isHeadless: false };
  if (!(text instanceof Text) || start.scrollWidth <= start.clientWidth) return whole;
  const range = document.createRange();
  range.setStart(text, 0);
  const widthOf = (characters: number): number => {
    range.setEnd(text, characters);
    return range.getBoundingClientRect().width;
  };
  const ellipsisPx = ellipsisWidth(start);
  const ownPx = start.parentElement?.dataset['headless'] === undefined ? 0 : ellipsisPx;
  const placePx = start.getBoundingClientRect().width + ownPx;
  if (placePx < ellipsisPx + widthOf(1)) return { ...whole, isHeadless: true };
  return { ...whole, gapPx: gapAfterEllipsis(placePx, ellipsisPx, text.length, widthOf) };
}

/** One for all names: a page has hundreds, of which it is told together. All are measured before any is moved. */
const observer = new ResizeObserver((entries) => {
  const starts = entries.map(({ target }) => target).filter((target) => target instanceof HTMLElement);
  for (const { start, gapPx, isHeadless } of starts.map((one) => measure(one))) {
    start.parentElement?.style.setProperty('--gap', `${gapPx.toFixed(1)}px`);
    start.parentElement?.toggleAttribute('data-headless', isHeadless);
  }
});

/** Keeps `--gap` of the element around the beginning of a name. @returns what ends that */
export function watchGap(start: Element | null): (() => void) | undefined {
  if (start === null) return undefined;
  observer.observe(start);
  return () => observer.unobserve(start);
}
