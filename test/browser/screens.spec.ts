// Own relay: its account is filled, and every page of it is shown.
/**
 * Every page on a wide light and a narrow dark screen, without and with data: drawn without a fault, and accessible.
 * `FERRY_TEST_SCREENSHOTS=<folder>` keeps pictures of every page at both widths in both colour schemes.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accessPages, fileNameOf, framedPages } from '../support/browser/pages.js';
import { populate } from '../support/browser/populate.js';
import { accessibilityFaults, settle, Website } from '../support/browser/website.harness.js';
import { TestRelay } from '../support/process/test-relay.js';
import type { Person } from '../support/relay/people.harness.js';

const folder = process.env['FERRY_TEST_SCREENSHOTS'] ?? '';
if (folder !== '') mkdirSync(folder, { recursive: true });

const allLooks = [
  { width: 1_440, scheme: 'light' },
  { width: 390, scheme: 'dark' },
  { width: 1_440, scheme: 'dark' },
  { width: 390, scheme: 'light' },
] as const;
/** Two looks have both widths and both schemes; all four, which take twice as long, when pictures are wanted. */
const looks = folder === '' ? allLooks.slice(0, 2) : allLooks;

interface Shown {
  readonly website: Website;
  readonly person?: Person;
  readonly pages: readonly string[];
  /** Part of the file names. */
  readonly data: string;
}

/** @returns all faults of all pages in one look, each with its page */
async function show(
  { website, person, pages, data }: Shown,
  look: (typeof allLooks)[number],
): Promise<readonly string[]> {
  const found: string[] = [];
  // One window for all: each page is loaded anew, while its scripts come from the browser's cache as for any visitor.
  const { page, context, faults } = await website.page({ ...look, ...(person && { person }) });
  for (const target of pages) {
    const before = faults.length;
    await page.goto(website.url(target));
    await settle(page);
    if (folder !== '') {
      const name = `${fileNameOf(target)}.${data}.${look.width}.${look.scheme}.png`;
      await page.screenshot({ path: path.join(folder, name), fullPage: true });
    }
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (overflow > 0) found.push(`${target}: ${overflow} px wider than the screen`);
    found.push(...(await accessibilityFaults(page)).map((fault) => `${target}: ${fault}`));
    found.push(...faults.slice(before).map((fault) => `${target}: ${fault}`));
  }
  await context.close();
  return found;
}

describe.each(looks)('at $width px, $scheme', (look) => {
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

  it('shows every page of a new account, then with data', async () => {
    const person = await website.person('owner');
    const found = [...(await show({ website, person, pages: framedPages, data: 'empty' }, look))];
    const populated = await populate(relay);
    try {
      const pages = [...framedPages, ...populated.pages];
      found.push(...(await show({ website, person, pages, data: 'full' }, look)));
    } finally {
      await populated.stop();
    }
    expect(found).toEqual([]);
  }, 240_000);
});
