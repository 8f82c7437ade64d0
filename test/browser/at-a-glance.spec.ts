/** What a list or a chart has to say at a glance: since when, how full, that there is nothing, and which of two. */
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { madeUpHistory } from '../support/browser/made-up-usage.js';
import { settle, Website, type WatchedPage } from '../support/browser/website.harness.js';
import { eventually } from '../support/clock/eventually.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

/** In CSS pixels. */
const WIDTHS = [390, 640, 720, 768, 1_024, 1_280, 1_440];

/** Keeps what is written on canvases. */
const KEEP_LABELS = `globalThis.labels = [];
const { fillText } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
  labels.push(text);
  return fillText.call(this, text, ...place);
};`;

interface Listed {
  readonly data: readonly object[];
}

describe('at a glance', () => {
  let relay: Tenant;
  let website: Website;
  let computer: TestNode;
  let shown: WatchedPage;
  let page: Page;

  shareRelay(async (tenant) => {
    relay = tenant;
    computer = await TestNode.start(relay, { name: 'studio' });
    website = await Website.open(relay);
    shown = await website.page({ person: await website.person('owner') });
    page = shown.page;
    await page.addInitScript(KEEP_LABELS);
  });
  afterAll(async () => {
    await website.close();
    await computer.stop();
  }, 30_000);

  async function openComputer(history: object): Promise<void> {
    const { data } = await relay.manage<{ data: readonly { node_id: string }[] }>('GET', '/nodes');
    await page.unrouteAll();
    await page.route('**/api/nodes/*/history?*', (route) =>
      route.fulfill({ json: { ...madeUpHistory(), ...history } }),
    );
    await page.goto(website.url(`/computers/${data[0]?.node_id ?? ''}`));
    await settle(page);
  }

  /** With its title. */
  const chart = (title: string | RegExp) => page.getByRole('heading', { level: 3, name: title }).locator('xpath=..');

  it('says at every width since when a computer is offline', async () => {
    await page.route('**/api/nodes?*', async (route) => {
      const list = (await (await route.fetch()).json()) as Listed;
      const data = list.data.map((node) => ({ ...node, online: false, last_seen: Date.UTC(2026, 0, 5) / 1_000 }));
      await route.fulfill({ json: { ...list, data } });
    });
    await page.goto(website.url('/computers'));
    await settle(page);
    const row = page.getByRole('row', { name: /studio/ });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await row.getByText(/Offline since Jan [45]/).waitFor();
    }
    await page.unrouteAll();
  }, 60_000);

  it('ends the axis of slots at the number of slots', async () => {
    const { slots_total: total } = madeUpHistory() as { readonly slots_total: readonly number[] };
    await openComputer({ slots_used: total.map((_, minute) => minute % 2) });
    await chart('Slots in use').locator('canvas').waitFor();
    await eventually('the axis of slots ends at 4', async () => {
      const labels = await page.evaluate<readonly string[]>('labels');
      return labels.includes('4') && !labels.includes('5');
    });
  }, 60_000);

  it('says that there was nothing in place of empty axes, in less room than a chart', async () => {
    await openComputer({});
    const titles = [/^Tokens per second/, 'Slots in use', 'Memory in use'];
    const heights = async (): Promise<readonly (number | undefined)[]> =>
      Promise.all(titles.map(async (title) => (await chart(title).locator('figure, p').boundingBox())?.height));
    await chart('Slots in use').locator('canvas').waitFor();
    expect(await heights()).toEqual([160, 160, 160]);
    const { slots_total: total } = madeUpHistory() as { readonly slots_total: readonly number[] };
    await openComputer({
      models: [],
      slots_used: total.map(() => 0),
      memory_used_bytes: total.map(() => null),
      gpu_used_bytes: total.map(() => null),
    });
    await chart(/^Tokens per second/)
      .getByText('No request that ended in the last hour generated tokens.')
      .waitFor();
    await chart('Slots in use').getByText('No sample of the last hour shows a slot in use.').waitFor();
    await chart('Memory in use').getByText('The first point appears within a minute.').waitFor();
    expect(await page.locator('canvas').count()).toBe(0);
    expect(await heights()).toEqual([96, 96, 96]);
  }, 60_000);

  it('shows first how an offline computer is started, and of its facts those that are known', async () => {
    await page.unrouteAll();
    await page.route('**/api/nodes/nd_*', async (route) => {
      if (route.request().url().includes('history')) return route.continue();
      const node = (await (await route.fetch()).json()) as object;
      const away = { online: false, memory: null, round_trip_ms: null, supervisor: null, gpus: [], engines: [] };
      const link_events = [{ at: '2026-01-05T00:00:00Z', event: 'disconnected', reason: 'dead', detail: '' }];
      return route.fulfill({ json: { ...node, ...away, models: [], link_events } });
    });
    const { data } = await relay.manage<{ data: readonly { node_id: string }[] }>('GET', '/nodes');
    await page.goto(website.url(`/computers/${data[0]?.node_id ?? ''}`));
    await settle(page);
    const start = page.getByRole('region', { name: 'Bring this computer back' });
    await start.getByText('ferry-node run').waitFor();
    const choice = await start.getByLabel('How Ferry is installed there').boundingBox();
    const command = await start.getByText('ferry-node run').boundingBox();
    expect(choice?.y).toBeLessThan(command?.y ?? 0);
    expect(await page.getByText(/offline since/i).count()).toBe(1);
    const seen = page.getByText('Last seen', { exact: true });
    await page.getByText('It fell silent.').waitFor();
    expect((await start.boundingBox())?.y).toBeLessThan((await seen.boundingBox())?.y ?? 0);
    await page.setViewportSize({ width: 768, height: 900 });
    await eventually('on a tablet it is as wide as the facts below it', async () => {
      const [box, facts] = await Promise.all([start.boundingBox(), page.locator('dl').first().boundingBox()]);
      return box !== null && box.width === facts?.width;
    });
    await page.setViewportSize({ width: 1_440, height: 900 });
    for (const unknown of ['Slots in use', 'Memory in use', 'Runs as a service'])
      expect(await page.locator('dt').getByText(unknown, { exact: true }).count()).toBe(0);
    await page.unrouteAll();
  }, 60_000);

  it('has the menu, the state and the facts of all cards at the same places on a phone', async () => {
    for (const name of ['codex', 'a key whose name is longer than most people would ever make it'])
      await relay.manage('POST', '/keys', { name });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(website.url('/keys'));
    await settle(page);
    const places = async (found: Locator): Promise<ReadonlySet<number | undefined>> =>
      new Set(await Promise.all((await found.all()).map(async (one) => (await one.boundingBox())?.x)));
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBeGreaterThan(1);
    expect((await places(page.getByRole('button', { name: /^Actions for/ }))).size).toBe(1);
    expect((await places(page.locator('[data-label="Last used"]:not(th)'))).size).toBe(1);
    await page.goto(website.url('/computers'));
    await settle(page);
    const card = page.getByRole('row', { name: /studio/ });
    const [name, state] = await Promise.all([
      card.getByRole('link', { name: 'studio' }).boundingBox(),
      card.getByText('online', { exact: true }).boundingBox(),
    ]);
    expect(Math.abs((name?.y ?? 0) - (state?.y ?? Infinity))).toBeLessThan(4);
    // The border and the padding of the card.
    expect(390 - 16 - 13 - ((state?.x ?? 0) + (state?.width ?? 0))).toBeLessThan(2);
    await page.setViewportSize({ width: 1_440, height: 900 });
  }, 60_000);

  it('tells two invites for one role apart', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 2; made += 1) {
      const { invite_id: id } = await relay.manage<{ invite_id: string }>('POST', '/invites', { role: 'member' });
      ids.push(id.slice(0, 11));
    }
    await page.goto(website.url('/settings/members'));
    await settle(page);
    const invites = page.getByRole('table', { name: 'Open invites' });
    for (const width of [390, 768, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const id of ids) {
        const row = invites.getByRole('row', { name: new RegExp(id) });
        await row.getByText('just now').waitFor();
        // The times of creation and expiry.
        const times = await row.locator('time').all();
        expect(times).toHaveLength(2);
        for (const time of times) expect(await time.getAttribute('title')).toMatch(/\d:\d\d:\d\d/);
      }
    }
  }, 60_000);

  it('shows on a phone the outcome of a refused request beside its model', async () => {
    await (await relay.chat({ model: 'no-such-model', messages: [{ role: 'user', content: 'Hi' }] })).text();
    await page.setViewportSize({ width: 390, height: 900 });
    await page.goto(website.url('/requests'));
    const row = page.getByRole('row', { name: /no-such-model/ }).first();
    const parts = [row.getByText('no-such-model'), row.getByText('Rejected')];
    await eventually('both are in one line', async () => {
      const [model, outcome] = await Promise.all(parts.map((part) => part.boundingBox()));
      return model !== null && outcome !== null && Math.abs((model?.y ?? 0) - (outcome?.y ?? Infinity)) < 8;
    });
    const [card, key, took] = await Promise.all(
      [row, row.getByText('quickstart'), row.getByText(/^[\d.]+ m?s$/)].map((element) => element.boundingBox()),
    );
    const rightOf = (box: typeof card = null): number => (box?.x ?? 0) + (box?.width ?? 0);
    expect(Math.abs((key?.y ?? 0) - (took?.y ?? Infinity))).toBeLessThan(4);
    expect(rightOf(card) - rightOf(took)).toBeLessThan(20);
  }, 60_000);

  it('says what to do about a refused request, with one link', async () => {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.getByRole('link', { name: 'no-such-model' }).first().click();
    const failure = page.getByRole('region', { name: 'Failure' });
    await failure.getByText("There is no model 'no-such-model'.").waitFor();
    await failure.getByRole('heading', { name: 'What to do next' }).waitFor();
    await failure.getByRole('link').click();
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
  }, 60_000);

  it.each([
    [768, 2, 4],
    [1_280, 2, 4],
    [1_440, 1, 7],
  ])(
    'has the filters of requests as wide as their table, at %d px in %d lines of %d',
    async (width, lines, columns) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(website.url('/requests'));
      await settle(page);
      const finished = page.getByRole('region', { name: 'Finished' });
      const fields = await finished.locator('input[type=search], select').all();
      expect(fields).toHaveLength(7);
      const boxes = await Promise.all(
        fields.map(async (field) => (await field.boundingBox()) ?? { x: 0, y: 0, width: 0 }),
      );
      expect(new Set(boxes.map(({ y }) => Math.round(y))).size).toBe(lines);
      expect(new Set(boxes.map(({ x }) => Math.round(x))).size).toBe(columns);
      const table = await finished.getByRole('table').boundingBox();
      const ends = boxes.map((box) => box.x + box.width);
      expect(Math.round(Math.max(...ends))).toBe(Math.round((table?.x ?? 0) + (table?.width ?? 0)));
    },
  );

  it.each([
    ['studio', 'codex'],
    ['a computer whose name is long', 'a key whose name is longer than most people would ever make it'],
  ])('shows on a phone in one line who a request runs for, on %s, and for how long', async (node_name, key_name) => {
    const request = { id: 'req_1', model: 'tiny', key_id: 'key_1', key_name, node_id: 'nd_1', node_name, stream: true };
    const data = [{ ...request, state: 'decode', output_events: 412, ttft_ms: 190, age_ms: 65_000 }];
    await page.route('**/api/requests/running', (route) => route.fulfill({ json: { object: 'list', data } }));
    await page.setViewportSize({ width: 390, height: 900 });
    await page.goto(website.url('/requests'));
    await settle(page);
    const card = page.getByRole('table', { name: 'Running now' }).getByRole('row', { name: /tiny/ });
    const [box, state, key, age] = await Promise.all(
      [card, card.getByText('Generating'), card.getByTitle(key_name).first(), card.getByText('1 min 5 s')].map(
        (element) => element.boundingBox(),
      ),
    );
    for (const part of [key, age]) expect(Math.abs((part?.y ?? 0) - (state?.y ?? Infinity))).toBeLessThan(4);
    expect(key?.width).toBeGreaterThan(key_name === 'codex' ? 30 : 100);
    // The border and the padding of the card.
    expect((box?.x ?? 0) + (box?.width ?? 0) - 13 - ((age?.x ?? 0) + (age?.width ?? 0))).toBeLessThan(2);
    await card.getByText(/^412 tokens · /).waitFor();
    expect((await card.getByText(node_name).last().boundingBox())?.width).toBeGreaterThan(30);
    await page.unrouteAll();
  });

  it.each([390, 768, 1_440])('gives what stands beside the model of a chat its height, at %d px', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(website.url('/chat'));
    await settle(page);
    const [model, compare] = await Promise.all(
      [
        page.getByRole('combobox', { name: 'Model', exact: true }),
        page.getByRole('button', { name: 'Compare with another model' }),
      ].map((element) => element.boundingBox()),
    );
    expect(compare?.y).toBe(model?.y);
    expect(compare?.height).toBe(model?.height);
  });

  it('has on a tablet the engine of a computer in a line that is not cut, and ids that can be copied', async () => {
    await relay.manage('POST', '/clusters', { name: 'lab' });
    await page.setViewportSize({ width: 768, height: 900 });
    await page.goto(website.url('/computers'));
    await settle(page);
    const row = page.getByRole('row', { name: /studio/ });
    const [system, engine] = [row.getByText(/^Ferry\s/), row.getByText('built-in engine').locator('xpath=..')];
    expect(await engine.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    expect((await engine.boundingBox())?.y).toBeGreaterThan((await system.boundingBox())?.y ?? Infinity);
    const copies = page.getByRole('button', { name: 'Copy cluster id' });
    expect(await copies.count()).toBe(2);
    // What cuts off a long id would cut off the ring around its button. With a key: a ring is for those who use the keyboard.
    await page.keyboard.press('Tab');
    await copies.first().focus();
    await eventually('the ring is inside of the button', async () => {
      const offset = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineOffset');
      return offset === '-2px';
    });
    await page.setViewportSize({ width: 1_440, height: 900 });
  }, 60_000);

  it('completed without browser errors', () => {
    expect(shown.faults).toEqual([]);
  });
});
