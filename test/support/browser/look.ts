/** One page at one width in one colour scheme: its picture, and what is wrong with it. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from './website.harness.js';

/** `FERRY_TEST_SCREENSHOTS=<folder>` keeps pictures of every page at every width in both colour schemes. */
const folder = process.env['FERRY_TEST_SCREENSHOTS'] ?? '';
if (folder !== '') mkdirSync(folder, { recursive: true });

export const takesPictures = folder !== '';

export interface Look {
  readonly width: 1_440 | 390;
  readonly scheme: 'light' | 'dark';
}

/** Between a phone and a desk, for the window of the look at 1,440 px. */
const TABLET_WIDTHS = [1_024, 768];

/** A chart that was drawn for another width is drawn anew by then. */
const REDRAWN_MS = 400;

/**
 * @param whole the page beyond the window, too: the window is made as high. With `fullPage` Chromium lays the page out anew for the picture, on
 * which charts are sometimes missing
 */
export async function picture(page: Page, name: string, whole = true): Promise<void> {
  if (!takesPictures) return;
  const window = page.viewportSize();
  const isCut = whole && window !== null && (await heightOf(page)) > window.height;
  if (isCut) {
    // The height of a long list is estimated until its rows were in the window.
    await enlarge(page, window);
    await page.setViewportSize(window);
    await enlarge(page, window);
  }
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  if (isCut) await page.setViewportSize(window);
}

const heightOf = (page: Page): Promise<number> => page.evaluate<number>('document.documentElement.scrollHeight');

async function enlarge(page: Page, { width }: { readonly width: number }): Promise<void> {
  await page.setViewportSize({ width, height: await heightOf(page) });
  await page.waitForTimeout(REDRAWN_MS);
}

/** Compared with the window as it was set: that of a phone grows with a page that is too wide. */
export async function overflowOf(page: Page): Promise<number> {
  const { width } = page.viewportSize() ?? { width: 0 };
  return (await page.evaluate<number>('document.documentElement.scrollWidth')) - width;
}

/** Buttons that stand outside of their table, whose columns are too narrow for them. As text: it is evaluated in the page. */
const BESIDE_TABLES = `[...document.querySelectorAll('td .mantine-Button-root')]
  .filter((button) => button.getBoundingClientRect().right > button.closest('table').getBoundingClientRect().right + 0.5)
  .map(({ textContent }) => textContent)`;

/** @param width of the window @returns what is wider than its place */
async function excesses(page: Page, width: number): Promise<readonly string[]> {
  const overflow = await overflowOf(page);
  const buttons = await page.evaluate<readonly string[]>(BESIDE_TABLES);
  return [
    ...(overflow > 0 ? [`${overflow} px wider than ${width} px`] : []),
    ...buttons.map((name) => `"${name}" stands beside its table at ${width} px`),
  ];
}

/**
 * Takes pictures of the page that is shown.
 * @param name of its pictures, without width and scheme
 * @returns what is wrong with it at the width of the look and, for a desk, at those of a tablet
 */
export async function judge(page: Page, look: Look, name: string): Promise<readonly string[]> {
  await picture(page, `${name}.${look.width}.${look.scheme}`);
  const found = [...(await excesses(page, look.width))];
  found.push(...(await accessibilityFaults(page)));
  if (look.width === 1_440) found.push(...(await judgeNarrower(page, look, name)));
  return found;
}

/** @returns at which widths of a tablet the page is wider than its window, which has its first width again */
async function judgeNarrower(page: Page, { width, scheme }: Look, name: string): Promise<readonly string[]> {
  const first = page.viewportSize();
  const found: string[] = [];
  for (const narrower of TABLET_WIDTHS) {
    await page.setViewportSize({ width: narrower, height: 900 });
    await page.waitForTimeout(takesPictures ? REDRAWN_MS : 100);
    found.push(...(await excesses(page, narrower)));
    await picture(page, `${name}.${narrower}.${scheme}`);
  }
  await page.setViewportSize(first ?? { width, height: 900 });
  return found;
}
