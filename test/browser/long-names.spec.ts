/** Names longer than the lists that have them: a list ends where its window does, and shows both ends of a name. */
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { settle, Website } from '../support/browser/website.harness.js';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';
import type { Person } from '../support/relay/people.harness.js';

const CLUSTER = 'machine-learning-group-in-the-second-basement-of-the-east-wing';
const COMPUTER = 'workstation-of-the-machine-learning-group-in-the-second-basement';
/** In Arabic, with a size and a quantization in Latin letters. */
const ARABIC = 'نموذج-اللغة-7B:q4';
const MODEL = 'workstation-finetune-of-the-machine-learning-group-Instruct-2507-UD-Q4_K_XL-0123456789';

/** Of the list that is open: pixels by which it leaves the window or its names leave it. As text: it is evaluated in the page. */
const outOf = (width: number): string => `(() => {
  const list = [...document.querySelectorAll('[data-portal] :is([role=menu], .mantine-Combobox-dropdown, .mantine-Select-dropdown)')]
    .find((one) => one.getBoundingClientRect().width > 0);
  const { left, right } = list.getBoundingClientRect();
  return Math.max(0, -left, right - ${width}, list.scrollWidth - list.clientWidth);
})()`;

/** Of names of computers in the table: their pixels, and those of what stands beside them in their line. As text, as above. */
const PLACES = `[...document.querySelectorAll('table[aria-label=Models] [data-state]')].map((dot) => {
  const [name, facts] = [dot.nextElementSibling, dot.nextElementSibling.nextElementSibling].map((one) => one.getBoundingClientRect());
  const cell = dot.closest('td').getBoundingClientRect();
  return { name: name.width, between: facts.left - name.right, sameLine: facts.top < name.bottom, out: facts.right - cell.right };
})`;

/** Pixels by which the page is wider than its window. Not `innerWidth`: a phone shows the whole of a page that is too wide, as a wider window. */
const overflowAt = (width: number): string => `document.documentElement.scrollWidth - ${width}`;

interface Place {
  readonly name: number;
  readonly between: number;
  readonly sameLine: boolean;
  readonly out: number;
}

describe('long names', () => {
  let relay: Tenant;
  let website: Website;
  let owner: Person;
  const started: { stop(): Promise<void> }[] = [];

  shareRelay(async (tenant) => {
    relay = tenant;
    const { cluster_id: clusterId } = await relay.manage<{ cluster_id: string }>('POST', '/clusters', {
      name: CLUSTER,
    });
    const engine = await FakeEngine.start({ models: [MODEL, ARABIC, 'fake'] });
    started.unshift(engine);
    const engines = [{ kind: 'openai-compatible' as const, base_url: engine.url, resident: 'all' as const }];
    started.unshift(await TestNode.start(relay, { name: COMPUTER, clusterId, engines }));
    website = await Website.open(relay);
    owner = await website.person('owner');
  });
  afterAll(async () => {
    await website.close();
    for (const part of started) await part.stop();
  }, 60_000);

  async function openAt(width: number, target: string): Promise<{ page: Page; close: () => Promise<void> }> {
    const { page, context, faults } = await website.page({ person: owner, width });
    await page.goto(website.url(target));
    await settle(page);
    const close = async (): Promise<void> => {
      expect(faults).toEqual([]);
      await context.close();
    };
    return { page, close };
  }

  const widths = [390, 768, 1_440];

  it.each(widths)('a list of clusters ends where its window does, at %d px', async (width) => {
    const { page, close } = await openAt(width, '/');
    if (width === 390) await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: /^Ferry/ }).click();
    const entry = page.getByRole('menuitem', { name: new RegExp(CLUSTER) });
    await entry.waitFor();
    expect(await page.evaluate(outOf(width))).toBe(0);
    expect(await page.evaluate(overflowAt(width))).toBe(0);
    const [name, note] = await Promise.all([
      entry.locator('[data-end]').boundingBox(),
      entry.getByText(/of 1 online/).boundingBox(),
    ]);
    expect(note?.height).toBeLessThanOrEqual(16);
    expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(note?.x ?? 0);
    await close();
  });

  it.each(widths)('a list of models ends where its window does, at %d px', async (width) => {
    const { page, close } = await openAt(width, '/chat');
    await page.getByRole('combobox', { name: 'Model', exact: true }).click();
    await page.getByRole('option', { name: new RegExp(MODEL) }).waitFor();
    await eventually('the list is in its place', async () => (await page.evaluate(outOf(width))) === 0);
    expect(await page.evaluate(overflowAt(width))).toBe(0);
    await close();
  });

  it('a name from right to left is a text of its own, in the order in which it is read', async () => {
    const { page, close } = await openAt(1_440, '/computers');
    const name = page.getByRole('table', { name: 'Computers' }).locator(`bdi[title="${ARABIC}"]`);
    expect(await name.innerText()).toBe(ARABIC);
    await page.getByRole('link', { name: COMPUTER }).click();
    const models = page.getByRole('table', { name: 'Models of this computer' });
    await models.getByRole('link', { name: ARABIC }).locator('bdi').waitFor();
    await close();
  });

  it('the loaded models of a computer have one line each', async () => {
    const { page, close } = await openAt(768, '/computers');
    const model = page.locator(`bdi[title="${MODEL}"]`);
    expect((await model.boundingBox())?.height).toBeLessThanOrEqual(24);
    expect(await page.evaluate(overflowAt(768))).toBe(0);
    await close();
  });

  it('the name of a computer has the room that its line leaves', async () => {
    const { page, close } = await openAt(1_440, '/models');
    await page.getByRole('row', { name: /fake/ }).waitFor();
    // Drawn anew when the font has come.
    await eventually('the names have their places', async () => {
      const places = await page.evaluate<readonly Place[]>(PLACES);
      expect(places).toHaveLength(3);
      for (const { name, between, sameLine, out } of places) {
        expect(name).toBeGreaterThan(200);
        expect(between).toBe(8);
        expect(sameLine).toBe(true);
        expect(out).toBeLessThanOrEqual(0);
      }
      return true;
    });
    await close();
  });
});
