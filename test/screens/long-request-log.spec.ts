// Own relay: its request log is filled.
/** The request log and the usage page of an account with ten thousand requests. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { longestTaskEveryTime } from '../support/browser/trace.js';
import { settle, Website } from '../support/browser/website.harness.js';
import { fillRequestLog } from '../support/db/fill-request-log.js';
import { TestRelay } from '../support/process/test-relay.js';
import type { Person } from '../support/relay/people.harness.js';

const REQUESTS = 10_000;
const DAY_MS = 86_400_000;
const LONGEST_TASK_MS = 100;

describe('a long request log', () => {
  let relay: TestRelay;
  let website: Website;
  let person: Person;

  beforeAll(async () => {
    relay = await TestRelay.start();
    website = await Website.open(relay);
    await fillRequestLog(relay, REQUESTS, 14);
    person = await website.person('owner');
  }, 120_000);

  afterAll(async () => {
    await website.close();
    await relay.stop();
  }, 30_000);

  /** @returns the longest task, in milliseconds, while all requests are scrolled into sight and back */
  async function scrollThrough(): Promise<number> {
    const { page, context, faults } = await website.page({ person });
    await page.goto(website.url('/requests'));
    await settle(page);
    const rowCount = (): Promise<number> =>
      page.evaluate<number>(`Number(document.querySelector('table').getAttribute('aria-rowcount')) - 1`);
    const longest = await website.longestTaskMs(page, async () => {
      for (let step = 0; step < 400 && (await rowCount()) < REQUESTS; step += 1) {
        await page.mouse.wheel(0, 12_000);
        await page.waitForTimeout(40);
      }
      for (let step = 0; step < 60; step += 1) {
        await page.mouse.wheel(0, step % 2 === 0 ? -40_000 : 25_000);
        await page.waitForTimeout(30);
      }
    });
    expect(await rowCount()).toBe(REQUESTS);
    expect(await page.evaluate<number>(`document.querySelectorAll('tbody[data-index]').length`)).toBeLessThan(100);
    expect(faults).toEqual([]);
    await context.close();
    return longest;
  }

  it('a long request log is loaded while it is scrolled, without a long task, and renders only visible rows', async () => {
    expect(await longestTaskEveryTime(scrollThrough, LONGEST_TASK_MS)).toBeLessThan(LONGEST_TASK_MS);
  }, 240_000);

  it('a long request log is filtered by the relay, and keeps the filter in the URL', async () => {
    const { page, context } = await website.page({ person });
    await page.goto(website.url('/requests'));
    await settle(page);
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Failed');
    await eventually('the filter is in the URL', () =>
      page.evaluate<boolean>(`location.search.includes('outcome=failed')`),
    );
    await eventually('the rows are filtered', () =>
      page.evaluate<boolean>(
        `[...document.querySelectorAll('tbody[data-index]')].every((row) => row.textContent.includes('engine error'))`,
      ),
    );
    await page.reload();
    await settle(page);
    expect(await page.getByText('engine error').count()).toBeGreaterThan(10);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await eventually('no filter is in the URL', () => page.evaluate<boolean>(`location.search === ''`));
    await context.close();
  }, 60_000);

  it('a long request log is aggregated by the usage page, whose chart and table have the same groups', async () => {
    const { page, context, faults } = await website.page({ person });
    await page.goto(website.url('/usage?range=7d&measure=requests'));
    await settle(page);
    await page.locator('canvas').first().waitFor();
    expect(await page.getByText('7 others').count()).toBe(1);
    const requests = page.locator('dl').getByText('Requests').locator('xpath=../dd');
    expect(await requests.textContent()).toBe(REQUESTS.toLocaleString('en-US'));
    // Days without requests are rows, too.
    const since = new Date(Date.now() - 6 * DAY_MS).toISOString();
    const { groups } = await relay.manage<{ groups: readonly { requests: readonly number[] }[] }>(
      'GET',
      `/usage/series?by=none&bucket=day&since=${since}`,
    );
    const days = groups[0]?.requests ?? [];
    expect(days.filter((count) => count > 0).length).toBeGreaterThan(2);
    expect(days).toContain(0);
    expect(await page.getByRole('table', { name: 'Usage' }).locator('tbody').count()).toBe(days.length);
    expect(await page.getByRole('row', { name: /engine error/ }).textContent()).toContain('1,000');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('usage-by-model.csv');
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);
});
