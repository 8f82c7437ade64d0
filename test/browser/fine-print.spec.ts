/** Small things that are ugly when they are wrong: where a name is cut, what stands beside a name, a chart without data. */
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { madeUpSeries } from '../support/browser/made-up-usage.js';
import { settle, Website, type WatchedPage } from '../support/browser/website.harness.js';
import { eventually } from '../support/clock/eventually.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

const LONG_NAME = 'workstation-of-the-machine-learning-group-in-the-second-basement';

/** Of what one line of text has at most, in CSS pixels. */
const NEAR_PX = 2;

interface FirstLine {
  readonly top: number;
  readonly height: number;
  /** How many there are. */
  readonly lines: number;
}

/** Of the name of the computer. As text: it is evaluated in the page. */
const FIRST_LINE = `(() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector('[data-heading] a'));
  const lines = [...range.getClientRects()];
  return { top: lines[0].top, height: lines[0].height, lines: new Set(lines.map(({ top }) => top)).size };
})()`;

/** How much of its last line the link of the computer has behind its name. As text: it is evaluated in the page. */
const BEHIND_NAME = `(() => {
  const link = document.querySelector('[data-heading] a');
  const range = document.createRange();
  range.selectNodeContents(link.querySelector('bdi'));
  const ends = [[...link.getClientRects()], [...range.getClientRects()]].map((lines) => lines.at(-1));
  return ends[0].bottom - ends[1].bottom < 4 ? ends[0].right - ends[1].right : 0;
})()`;

/** Of the buttons `Chat` and `Unload` of a model. As text: it is evaluated in the page. */
const GROUNDS = `[...document.querySelectorAll('td :is(a, button)')]
  .filter(({ textContent }) => /^(Chat|Unload)$/.test(textContent))
  .map((element) => getComputedStyle(element).backgroundColor)`;

const middleOf = ({ top, height }: { readonly top: number; readonly height: number }): number => top + height / 2;

async function middleOfBox(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  if (box === null) throw new Error('the element is not shown');
  return middleOf({ top: box.y, height: box.height });
}

describe('the fine print', () => {
  let relay: Tenant;
  let website: Website;
  let computer: TestNode;
  let shown: WatchedPage;
  let page: Page;

  shareRelay(async (tenant) => {
    relay = tenant;
    computer = await TestNode.start(relay, { name: LONG_NAME });
    website = await Website.open(relay);
    shown = await website.page({ person: await website.person('owner') });
    page = shown.page;
  });
  afterAll(async () => {
    await website.close();
    await computer.stop();
  }, 30_000);

  const open = async (target: string): Promise<void> => {
    await page.goto(website.url(target));
    await settle(page);
  };

  it('cuts the id of a key once', async () => {
    await relay.manage('POST', '/keys', { name: LONG_NAME });
    await open('/keys');
    const id = page
      .getByRole('row', { name: /workstation/ })
      .locator('code')
      .first();
    const text = await id.innerText();
    expect(text).toMatch(/^sk-ferry-\w+…\w{4}$/);
    // What is shown after the place where the browser cuts it has no ellipsis of its own.
    const end = await id.locator('[data-end]').getAttribute('data-end');
    expect(end).toBe(text.slice(-4));
  }, 60_000);

  it('puts the state of a computer beside the first line of its name', async () => {
    await open('/computers');
    const desk = page.viewportSize() ?? { width: 1_440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    const row = page.getByRole('row', { name: /workstation/ });
    // The table becomes cards a moment after the window has become narrow, and moves what is measured.
    const { name, dot } = await eventually('the name has several lines and is at rest', async () => {
      const before = await page.evaluate<FirstLine>(FIRST_LINE);
      const middle = await middleOfBox(row.locator('[data-state] > [aria-hidden]').first());
      const after = await page.evaluate<FirstLine>(FIRST_LINE);
      return after.lines > 1 && before.top === after.top && { name: after, dot: middle };
    });
    expect(Math.abs(dot - middleOf(name))).toBeLessThanOrEqual(NEAR_PX);
    await page.setViewportSize(desk);
  }, 60_000);

  it('puts the arrow of a card behind the last word of its name, and has whole ids of models, on a phone', async () => {
    const desk = page.viewportSize() ?? { width: 1_440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/computers');
    // In CSS pixels: the arrow and the space before it.
    expect(await page.evaluate<number>(BEHIND_NAME)).toBeGreaterThan(12);
    await open('/models');
    const row = page.getByRole('row', { name: /tiny/ });
    await row.getByRole('button', { name: 'Show details' }).click();
    const id = page.getByRole('button', { name: 'Copy model id' }).locator('xpath=preceding-sibling::code');
    expect(await id.innerText()).toMatch(/^mdl_[0-9a-f]{16}$/);
    expect(await id.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    await page.setViewportSize(desk);
  }, 60_000);

  it('puts “(you)” on the line of the name', async () => {
    await open('/settings/members');
    const you = page.getByText('(you)', { exact: true });
    const name = you.locator('xpath=preceding-sibling::bdi');
    expect(Math.abs((await middleOfBox(you)) - (await middleOfBox(name)))).toBeLessThanOrEqual(NEAR_PX);
  }, 60_000);

  it('keeps no height of a row from another width of the window', async () => {
    const event = {
      object: 'audit_event',
      action: 'key.created',
      ip: '127.0.0.1',
      created_at: 1_790_000_000,
      detail: {},
    };
    const data = Array.from({ length: 40 }, (_, index) => ({
      ...event,
      id: `aud_${index}`,
      actor: { kind: 'user', id: 'usr_1' },
      target: { kind: 'key', id: `key_${index}` },
    }));
    await page.route('**/api/audit?*', (route) =>
      route.fulfill({ json: { object: 'list', data, has_more: false, next_cursor: null } }),
    );
    const desk = page.viewportSize() ?? { width: 1_440, height: 900 };
    // All rows are drawn, and most of them leave the window when it becomes narrow.
    await page.setViewportSize({ width: 1_440, height: 4_000 });
    await open('/settings/audit');
    const table = page.getByRole('table', { name: 'Audit trail' });
    const heightAt = async (height: number): Promise<number> => {
      await page.setViewportSize({ width: 1_024, height });
      return eventually('the table is at rest', async () => {
        const before = (await table.boundingBox())?.height;
        await page.waitForTimeout(200);
        return before !== undefined && before === (await table.boundingBox())?.height && before;
      });
    };
    const estimated = await heightAt(900);
    expect(estimated / (await heightAt(4_000))).toBeCloseTo(1, 1);
    await page.unrouteAll();
    await page.setViewportSize(desk);
  }, 60_000);

  it('is as high from the beginning as a long list on a phone is at its end', async () => {
    const { page: phone, context, faults } = await website.page({ person: await website.person('owner'), width: 390 });
    const data = Array.from({ length: 120 }, (_, index) => ({
      object: 'audit_event',
      id: `aud_${index}`,
      action: 'key.create',
      ip: '127.0.0.1',
      user_agent: null,
      created_at: 1_790_000_000,
      detail: { name: `key ${index}` },
      actor: { kind: 'cli-token', user_id: null, name: null, credential_id: null },
      target: { kind: 'key', id: `key_${index}` },
    }));
    await phone.route('**/api/audit?*', (route) =>
      route.fulfill({ json: { object: 'list', data, has_more: false, next_cursor: null } }),
    );
    await phone.goto(website.url('/settings/audit'));
    await settle(phone);
    await phone.getByText('Command line · 127.0.0.1').first().waitFor();
    const height = (): Promise<number> => phone.evaluate<number>('document.documentElement.scrollHeight');
    const first = await height();
    const last = phone.getByText('key 119', { exact: true });
    await eventually('the last entry is shown', async () => {
      await phone.mouse.wheel(0, 4_000);
      return (await last.count()) > 0;
    });
    expect(first / (await height())).toBeCloseTo(1, 1);
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);

  it('says that nothing was streamed instead of drawing axes', async () => {
    const response = await relay.chat({ model: 'tiny', messages: [{ role: 'user', content: 'Hello' }] });
    await response.text();
    await eventually('the request is in the request log', async () => {
      const { data } = await relay.manage<{ data: readonly object[] }>('GET', '/usage/requests');
      return data.length > 0;
    });
    await open('/usage');
    await page.getByRole('figure', { name: /^Tokens over time/ }).waitFor();
    await page.getByRole('heading', { name: 'Tokens per day', exact: true }).waitFor();
    const latency = page.getByRole('region', { name: 'Time to first token (streaming)' });
    await latency.getByText('No streamed response was completed in this time.').waitFor();
    expect(await latency.locator('canvas').count()).toBe(0);
  }, 60_000);

  type Group = Readonly<Record<string, readonly number[]>>;

  /** Weeks of use in which nothing was used on some days: those named counts are zero there. */
  async function openUsage(counts: readonly string[], days: readonly number[]): Promise<void> {
    const { groups, ...series } = madeUpSeries() as { readonly groups: readonly Group[] };
    const json = {
      ...series,
      groups: groups.map((group) => {
        const changed: Record<string, readonly number[]> = { ...group };
        for (const name of counts) {
          changed[name] = (group[name] ?? []).map((count, day) => (days.includes(day) ? 0 : count));
        }
        return changed;
      }),
    };
    await page.route('**/api/usage/series?*', (route) => route.fulfill({ json }));
    await open('/usage');
  }

  it('says of requests without tokens that none was used, rather than that there is nothing', async () => {
    await openUsage(['input_tokens', 'output_tokens'], [0, 1, 2, 3, 4, 5, 6]);
    await page
      .getByRole('region', { name: 'Tokens per day' })
      .getByText('No request that has ended used tokens in this time.')
      .waitFor();
    await page.unrouteAll();
  }, 60_000);

  it('has on a tablet a head of two lines at most, one line for a day without requests, and cuts no failures', async () => {
    const desk = page.viewportSize() ?? { width: 1_440, height: 900 };
    await page.setViewportSize({ width: 768, height: 1_024 });
    await openUsage(['requests', 'input_tokens', 'output_tokens'], [1, 2]);
    const table = page.getByRole('table', { name: 'Usage' });
    const heights = async (found: Locator): Promise<readonly (number | undefined)[]> =>
      Promise.all((await found.all()).map(async (row) => (await row.boundingBox())?.height));
    const [head] = await heights(table.locator('thead'));
    expect(head).toBeLessThanOrEqual(49);
    const rows = await heights(table.locator('tbody'));
    expect(rows).toHaveLength(7);
    // The newest is the first.
    expect(rows.filter((height) => (height ?? 0) < 55)).toEqual([rows[4], rows[5]]);
    const cut = await page.evaluate<readonly string[]>(`[...document.querySelectorAll('[data-note] bdi')]
      .filter(({ parentElement: part }) => part.scrollWidth > part.clientWidth)
      .map(({ textContent }) => textContent)`);
    expect(cut).toEqual([]);
    expect(await table.getByText('failed').count()).toBeGreaterThan(0);
    await page.setViewportSize(desk);
    await page.unrouteAll();
  }, 60_000);

  it('names on a phone each number of a day in one line, and has controls of one height', async () => {
    const desk = page.viewportSize() ?? { width: 1_440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    await openUsage([], []);
    const card = page.getByRole('table', { name: 'Usage' }).locator('tbody').first();
    const facts = await card.locator('td[data-card=fact]').all();
    const labels = await Promise.all(facts.map((fact) => fact.getAttribute('data-label')));
    expect(labels.slice(-3)).toEqual(['First token median', 'First token p95', 'Total median']);
    const boxes = await Promise.all(facts.map((fact) => fact.boundingBox()));
    expect(boxes.map((box) => box?.height)).toEqual(facts.map(() => 36));
    expect(new Set(boxes.map((box) => box?.width)).size).toBe(1);
    const [range, group, measure] = await Promise.all(
      ['Range', 'Group', 'Measure'].map(
        async (name) => (await page.getByLabel(name, { exact: true }).boundingBox())?.height,
      ),
    );
    expect([group, measure]).toEqual([range, range]);
    await page.setViewportSize({ width: 360, height: 844 });
    await eventually('two numbers stand in a line', async () => {
      const places = await Promise.all(facts.map(async (fact) => (await fact.boundingBox())?.x));
      return new Set(places).size === 2;
    });
    await page.setViewportSize(desk);
    await page.unrouteAll();
  }, 60_000);

  it('says on a tablet what a phone says of a request', async () => {
    const list = '**/api/usage/requests?*';
    await page.route(list, async (route) => {
      const { data, ...rest } = (await (await route.fetch()).json()) as { readonly data: readonly object[] };
      await route.fulfill({ json: { ...rest, data: data.map((one) => ({ ...one, ttft_ms: 190 })) } });
    });
    await open('/requests');
    const desk = page.viewportSize() ?? { width: 1_440, height: 900 };
    await page.setViewportSize({ width: 768, height: 1_024 });
    const table = page.getByRole('table', { name: 'Requests' });
    const note = table.locator('[data-note]').first();
    await note.waitFor();
    expect(await note.textContent()).toMatch(/basement · \d+ in · \d+ out$/);
    await table
      .getByRole('cell', { name: /^\S+ m?s ?first token 190 ms$/ })
      .first()
      .waitFor();
    // One line of text and the note, which is cut rather than wrapped.
    expect((await table.locator('tbody[data-index]').first().boundingBox())?.height).toBeLessThanOrEqual(61);
    await page.setViewportSize(desk);
    await note.waitFor({ state: 'detached' });
    await page.unroute(list);
  }, 60_000);

  it('shows a phone one person without an order, and its pages in a drawer as high as they are', async () => {
    const { page: phone, context, faults } = await website.page({ person: await website.person('owner'), width: 390 });
    await phone.route('**/api/users?*', async (route) => {
      const { data, ...list } = (await (await route.fetch()).json()) as { readonly data: readonly object[] };
      await route.fulfill({ json: { ...list, data: data.slice(0, 1) } });
    });
    await phone.goto(website.url('/settings/members'));
    await settle(phone);
    await phone.getByRole('table', { name: 'People' }).waitFor();
    const people = phone.getByRole('region', { name: 'People' });
    expect(await people.getByRole('searchbox').count()).toBe(1);
    expect(await people.getByRole('combobox', { name: 'Sort by' }).count()).toBe(0);
    await phone.getByRole('button', { name: 'More' }).click();
    const drawer = phone.getByRole('dialog', { name: 'More' });
    await drawer.getByRole('link', { name: 'Settings' }).waitFor();
    await eventually('the drawer has come up', async () => {
      const box = await drawer.boundingBox();
      return box !== null && box.y > 200 && Math.round(box.y + box.height) === 844;
    });
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);

  it('shows a request on a phone in three lines, with its tokens, also where names are long', async () => {
    const { page: phone, context } = await website.page({ person: await website.person('owner'), width: 390 });
    const card = phone.getByRole('table', { name: 'Requests' }).getByRole('row', { name: /tiny/ }).first();
    const heightOf = (lines: number): number => lines * 20 + (lines - 1) * 4 + 26;
    const height = async (): Promise<number | undefined> => {
      await phone.goto(website.url('/requests'));
      await settle(phone);
      await card.getByText('Completed').waitFor();
      return (await card.boundingBox())?.height;
    };
    expect(await height()).toBeLessThanOrEqual(heightOf(3));
    expect(await card.textContent()).toMatch(/\d+ in · \d+ out/);
    // Of the computer.
    expect((await card.getByTitle(LONG_NAME).first().boundingBox())?.width).toBeGreaterThan(80);
    await phone.route('**/api/usage/requests?*', async (route) => {
      const { data, ...list } = (await (await route.fetch()).json()) as { readonly data: readonly object[] };
      await route.fulfill({ json: { ...list, data: data.map((one) => ({ ...one, node_name: 'studio' })) } });
    });
    expect(await height()).toBeLessThanOrEqual(heightOf(3));
    await context.close();
  }, 60_000);

  it('has buttons on a phone that a finger can hit', async () => {
    const { page: phone, context } = await website.page({ person: await website.person('owner'), width: 390 });
    await phone.goto(website.url('/models'));
    await settle(phone);
    const chat = phone.getByRole('link', { name: 'Chat', exact: true }).first();
    await chat.waitFor();
    expect((await chat.boundingBox())?.height).toBeGreaterThanOrEqual(36);
    await context.close();
  }, 60_000);

  it('fills light buttons on a dark page, so that they stand out more than plain ones', async () => {
    const person = await website.person('owner');
    const { page: dark, context } = await website.page({ person, scheme: 'dark' });
    await dark.goto(website.url('/models'));
    await settle(dark);
    await dark.getByRole('row', { name: /tiny/ }).getByRole('button', { name: 'Unload' }).waitFor();
    const [light = '', plain] = await dark.evaluate<readonly string[]>(GROUNDS);
    expect(light).not.toBe(plain);
    // Mantine's own has 15 %.
    expect(light).toMatch(/[ ,/] ?0\.6\)$/);
    await context.close();
  }, 60_000);

  it.each([
    ['first', 'Bureau'],
    ['second', 'Office'],
  ])('shows the %s message of a page', async (_which, name) => {
    if (!page.url().endsWith('/settings/account')) await open('/settings/account');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Rename' }).click();
    const message = page.getByRole('alert').filter({ hasText: 'The account is renamed.' });
    await message.waitFor();
    await message.getByRole('button').click();
    await message.waitFor({ state: 'detached' });
  });

  it('completed without browser errors', () => {
    expect(shown.faults).toEqual([]);
  });
});
