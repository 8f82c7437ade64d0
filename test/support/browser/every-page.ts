/** Every page of the website in one look: drawn without a fault, and accessible. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestRelay } from '../process/test-relay.js';
import type { Person } from '../relay/people.harness.js';
import { closeOverlay, followLink, openOverlay, overlays, sharesPage, type Overlay } from './overlays.js';
import { judge, overflowOf, picture, takesPictures, type Look } from './look.js';
import { makeUpUsage, pageStates, type PageState } from './page-states.js';
import { accessPages, fileNameOf, framedPages } from './pages.js';
import { populate } from './populate.js';
import { accessibilityFaults, navigate, settle, Website } from './website.harness.js';

interface Shown {
  readonly website: Website;
  readonly person?: Person;
  /** Paths by the names of their pictures. */
  readonly pages: Readonly<Record<string, string>>;
  readonly states?: readonly PageState[];
  /** Part of the file names. */
  readonly data: string;
}

/** @returns all faults of all pages in one look, each with its page */
async function show({ website, person, pages, states = [], data }: Shown, look: Look): Promise<readonly string[]> {
  const found: string[] = [];
  // One window, which loads the website once: `first-load.spec.ts` loads each page anew.
  const { page, context, faults } = await website.page({ ...look, ...(person && { person }) });
  const see = async (name: string, open: () => Promise<void>): Promise<void> => {
    const before = faults.length;
    await open();
    const wrong = await judge(page, look, `${name}.${data}`);
    found.push(...[...wrong, ...faults.slice(before)].map((fault) => `${name}: ${fault}`));
  };
  for (const [at, [name, target]] of Object.entries(pages).entries()) {
    const isFirst = at === 0 || person === undefined;
    await see(name, () => (isFirst ? load(page, website.url(target)) : navigate(page, target)));
  }
  if (states.length > 0) await makeUpUsage(page);
  for (const [at, { name, page: target, act }] of states.entries()) {
    const path = pages[target] ?? target;
    await see(name, async () => {
      await (at === 0 ? load(page, website.url(path)) : navigate(page, path));
      await act?.(page);
    });
  }
  await context.close();
  return found;
}

async function load(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await settle(page);
}

/** What opens above a page and is wider than its place, so that it is cut off or moves sideways. As text: it is evaluated in the page. */
const CUT_OFF = `[...document.querySelectorAll('[data-portal] :is([role=dialog], .mantine-SegmentedControl-root)')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ textContent, scrollWidth, clientWidth }) => textContent.slice(0, 40) + ' by ' + (scrollWidth - clientWidth) + ' px')`;

/** The name of what has the focus in a dialog that was opened: what one does there, not what closes it. As text, as above. */
const FOCUSED = `document.activeElement?.getAttribute('aria-label') ?? ''`;

const named = (paths: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(paths.map((path) => [fileNameOf(path), path]));

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
    await picture(page, `over-${overlay.name}.${look.width}.${look.scheme}`, false);
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
  describe.each(takesPictures ? [look, other] : [look])('at $width px, $scheme', showsEveryPageIn);
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
    expect(await show({ website, pages: named(accessPages), data: 'signed-out' }, look)).toEqual([]);
  }, 120_000);

  it('shows every page of a new account, then with data, and what opens above them', async () => {
    const person = await website.person('owner');
    const found = [...(await show({ website, person, pages: named(framedPages), data: 'empty' }, look))];
    const populated = await populate(relay);
    try {
      const pages = { ...named(framedPages), ...populated.pages };
      found.push(...(await show({ website, person, pages, states: pageStates, data: 'full' }, look)));
      found.push(...(await showOverlays(website, person, look)));
    } finally {
      await populated.stop();
    }
    expect(found).toEqual([]);
  }, 240_000);
}
