/** Every page of the website in one look: drawn without a fault, and accessible. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestRelay } from '../process/test-relay.js';
import type { Person } from '../relay/people.harness.js';
import { closeOverlay, followLink, openOverlay, overlays, sharesPage, type Overlay } from './overlays.js';
import { accessPages, fileNameOf, framedPages } from './pages.js';
import { populate } from './populate.js';
import { accessibilityFaults, navigate, settle, Website } from './website.harness.js';

/** `FERRY_TEST_SCREENSHOTS=<folder>` keeps pictures of every page at every width in both colour schemes. */
const folder = process.env['FERRY_TEST_SCREENSHOTS'] ?? '';
if (folder !== '') mkdirSync(folder, { recursive: true });

export interface Look {
  readonly width: 1_440 | 390;
  readonly scheme: 'light' | 'dark';
}

/** Between a phone and a desk, for the window of the look at 1,440 px. */
const TABLET_WIDTHS = [1_024, 768];

interface Shown {
  readonly website: Website;
  readonly person?: Person;
  readonly pages: readonly string[];
  /** Part of the file names. */
  readonly data: string;
}

/** @returns all faults of all pages in one look, each with its page */
async function show({ website, person, pages, data }: Shown, look: Look): Promise<readonly string[]> {
  const found: string[] = [];
  // One window, which loads the website once: `first-load.spec.ts` loads each page anew.
  const { page, context, faults } = await website.page({ ...look, ...(person && { person }) });
  for (const [at, target] of pages.entries()) {
    const before = faults.length;
    if (at === 0 || person === undefined) await load(page, website.url(target));
    else await navigate(page, target);
    if (folder !== '') {
      const name = `${fileNameOf(target)}.${data}.${look.width}.${look.scheme}.png`;
      await page.screenshot({ path: path.join(folder, name), fullPage: true });
    }
    const overflow = await overflowOf(page);
    if (overflow > 0) found.push(`${target}: ${overflow} px wider than the screen`);
    found.push(...(await accessibilityFaults(page)).map((fault) => `${target}: ${fault}`));
    if (look.width === 1_440) found.push(...(await narrow(page, look, target, data)));
    found.push(...faults.slice(before).map((fault) => `${target}: ${fault}`));
  }
  await context.close();
  return found;
}

async function load(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await settle(page);
}

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

/** What opens above a page and is wider than its place, so that it is cut off or moves sideways. As text: it is evaluated in the page. */
const CUT_OFF = `[...document.querySelectorAll('[data-portal] :is([role=dialog], .mantine-SegmentedControl-root)')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ textContent, scrollWidth, clientWidth }) => textContent.slice(0, 40) + ' by ' + (scrollWidth - clientWidth) + ' px')`;

/** The name of what has the focus in a dialog that was opened: what one does there, not what closes it. As text, as above. */
const FOCUSED = `document.activeElement?.getAttribute('aria-label') ?? ''`;

/** @returns at which widths of a tablet the page is wider than its window, which has its first width again */
async function narrow(page: Page, { width, scheme }: Look, target: string, data: string): Promise<readonly string[]> {
  const first = page.viewportSize();
  const found: string[] = [];
  for (const narrower of TABLET_WIDTHS) {
    await page.setViewportSize({ width: narrower, height: 900 });
    await page.waitForTimeout(100);
    const overflow = await overflowOf(page);
    if (overflow > 0) found.push(`${target}: ${overflow} px wider than ${narrower} px`);
    if (folder === '') continue;
    const name = `${fileNameOf(target)}.${data}.${narrower}.${scheme}.png`;
    await page.screenshot({ path: path.join(folder, name), fullPage: true });
  }
  await page.setViewportSize(first ?? { width, height: 900 });
  return found;
}

const pathOf = ({ page }: Overlay): string => page.split('?')[0] ?? '';

/** @returns the faults of everything that opens above a page */
async function showOverlays(website: Website, person: Person, look: Look): Promise<readonly string[]> {
  const found: string[] = [];
  const { page, context, faults } = await website.page({ ...look, person });
  let last: Overlay | undefined;
  for (const overlay of overlays) {
    if (overlay.phone === true && look.width !== 390) continue;
    const before = faults.length;
    // On a phone the menus of the navigation are within a drawer, which is one of its own.
    const isInDrawer = look.width === 390 && ['clusters', 'operations', 'user'].includes(overlay.name);
    if (last !== undefined) await closeOverlay(page);
    if (last === undefined || isInDrawer || !sharesPage(overlay, last)) {
      if (last === undefined || isInDrawer || (last.link ?? pathOf(last)) === pathOf(overlay))
        await load(page, website.url(overlay.page));
      else await navigate(page, overlay.page);
      await followLink(page, overlay);
    }
    last = isInDrawer || overlay.asks === true ? undefined : overlay;
    if (isInDrawer) await page.getByRole('button', { name: 'More' }).click();
    await openOverlay(page, overlay);
    // The drawer is open already, and the menu above it is fetched first.
    if (isInDrawer && overlay.name !== 'operations') await page.getByRole('menu').waitFor();
    if (folder !== '') {
      await page.screenshot({ path: path.join(folder, `over-${overlay.name}.${look.width}.${look.scheme}.png`) });
    }
    if ((await page.evaluate<string>(FOCUSED)).startsWith('Close')) found.push(`${overlay.name}: closed by Enter`);
    const overflow = await overflowOf(page);
    if (overflow > 0) found.push(`${overlay.name}: ${overflow} px wider than the screen`);
    found.push(
      ...(await page.evaluate<readonly string[]>(CUT_OFF)).map((fault) => `${overlay.name}: cut off: ${fault}`),
    );
    found.push(...(await accessibilityFaults(page)).map((fault) => `${overlay.name}: ${fault}`));
    found.push(...faults.slice(before).map((fault) => `${overlay.name}: ${fault}`));
  }
  await context.close();
  return found;
}

/**
 * @param look and the other colour scheme at its width when pictures are wanted, which takes twice as long: two looks have both widths and both
 * schemes
 */
export function showsEveryPage(look: Look): void {
  const other: Look = { ...look, scheme: look.scheme === 'light' ? 'dark' : 'light' };
  describe.each(folder === '' ? [look] : [look, other])('at $width px, $scheme', showsEveryPageIn);
}

function showsEveryPageIn(look: Look): void {
  let website: Website;
  let relay: TestRelay;
  beforeAll(async () => {
    relay = await TestRelay.start();
    website = await Website.open(relay);
  }, 60_000);
  afterAll(async () => {
    await website.close();
    await relay.stop();
  }, 30_000);

  it('shows every page without a session', async () => {
    expect(await show({ website, pages: accessPages, data: 'signed-out' }, look)).toEqual([]);
  }, 120_000);

  it('shows every page of a new account, then with data, and what opens above them', async () => {
    const person = await website.person('owner');
    const found = [...(await show({ website, person, pages: framedPages, data: 'empty' }, look))];
    const populated = await populate(relay);
    try {
      const pages = [...framedPages, ...populated.pages];
      found.push(...(await show({ website, person, pages, data: 'full' }, look)));
      found.push(...(await showOverlays(website, person, look)));
    } finally {
      await populated.stop();
    }
    expect(found).toEqual([]);
  }, 240_000);
}
