/** Where a link leads while something is typed or filtered, which links there are, and what becomes of keys that are pressed too early. */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { settle, Website, type WatchedPage } from '../support/browser/website.harness.js';
import { eventually } from '../support/clock/eventually.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

const MISSING = 'no-such-model:7b';

/** What the API says of an operation that has failed. */
function madeUpFailure(members: object): object {
  const now = new Date().toISOString();
  return {
    object: 'operation',
    id: 'op_made_up',
    kind: 'load',
    node_name: 'studio',
    node_online: true,
    engine: null,
    model: null,
    model_key: null,
    source: null,
    load: false,
    context_tokens: null,
    state: 'failed',
    phase: null,
    completed_bytes: null,
    total_bytes: null,
    bytes_per_second: null,
    failure: { code: 'engine_error', message: 'It has failed.' },
    cancel_requested: false,
    created_by: null,
    created_at: now,
    updated_at: now,
    finished_at: now,
    dismissed_at: null,
    ...members,
  };
}

describe('links and typing', () => {
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
    const node_id = await computer.id();
    const operations = [
      madeUpFailure({ id: 'op_1', node_id, kind: 'install', source: MISSING }),
      madeUpFailure({ id: 'op_2', node_id, model: 'tiny', dismissed_at: new Date().toISOString() }),
    ];
    await page.route('**/api/operations?*', (route) => {
      const isOfFailures = route.request().url().includes('dismissed=false');
      return route.fulfill({ json: { data: isOfFailures ? operations.slice(0, 1) : operations, next_cursor: null } });
    });
  });
  afterAll(async () => {
    await website.close();
    await computer.stop();
  }, 30_000);
  beforeEach(() => page.unroute(/\/assets\/palette-/));

  const open = async (target: string): Promise<void> => {
    await page.goto(website.url(target));
    await settle(page);
  };
  const openOperations = async () => {
    await page.getByRole('button', { name: /^Operations/ }).click();
    const panel = page.getByRole('dialog', { name: 'Operations' });
    await panel.getByRole('heading', { name: 'Failed' }).waitFor();
    return panel;
  };

  it('a link changes the filter of the page that is shown, and the way back changes it again', async () => {
    await open('/models');
    const field = page.getByRole('searchbox', { name: 'Filter models' });
    await field.fill('nothing is called that');
    await page.getByText('Nothing matches the filter.').waitFor();
    await eventually('the URL has the filter', () => new URL(page.url()).searchParams.has('q'));
    const panel = await openOperations();
    await panel.getByRole('link', { name: 'tiny' }).click();
    await page.getByRole('row', { name: /tiny/ }).waitFor();
    expect(await field.inputValue()).toBe('tiny');
    expect(new URL(page.url()).searchParams.get('q')).toBe('tiny');
    await page.goBack();
    await page.getByText('Nothing matches the filter.').waitFor();
    expect(await field.inputValue()).toBe('nothing is called that');
    // What follows it is what is typed from now on.
    await field.fill('tin');
    await page.getByRole('row', { name: /tiny/ }).waitFor();
    await eventually('the URL has what was typed', () => new URL(page.url()).searchParams.get('q') === 'tin');
    expect(await field.inputValue()).toBe('tin');
  }, 60_000);

  it('a failure that was dismissed is neither done nor red, and a model that is not there has no link', async () => {
    await open('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText(MISSING).waitFor();
    await page.getByRole('link', { name: 'Models', exact: true }).waitFor();
    const panel = await openOperations();
    await panel.getByRole('link', { name: 'tiny' }).waitFor();
    expect(await attention.getByRole('link', { name: 'View model' }).count()).toBe(0);
    expect(await panel.getByRole('link', { name: MISSING }).count()).toBe(0);
    await panel.getByText(MISSING).waitFor();
    expect(await panel.getByRole('heading', { name: 'Done' }).count()).toBe(0);
    const dismissed = panel.getByRole('region', { name: /^Dismissed/ });
    await dismissed.getByText('Load failed').waitFor();
    expect(await dismissed.locator('[data-state=failed]').count()).toBe(0);
    await page.keyboard.press('Escape');
  }, 60_000);

  it('what is typed while the palette is fetched stands in it', async () => {
    let goOn = (): void => undefined;
    const typed = new Promise<void>((resolve) => (goOn = resolve));
    let isHeld = false;
    await page.route(/\/assets\/palette-/, async (route) => {
      isHeld = true;
      await typed;
      await route.continue();
    });
    await open('/keys');
    await page.getByRole('searchbox', { name: 'Filter keys' }).focus();
    await page.keyboard.press('Control+K');
    await page.keyboard.type('modd');
    await page.keyboard.press('Backspace');
    await eventually('the palette is being fetched', () => isHeld);
    goOn();
    await page.keyboard.type('els', { delay: 30 });
    const field = page.getByRole('combobox', { name: /^Search pages/ });
    await eventually('the palette has what was typed', async () => (await field.inputValue()) === 'models');
    expect(await page.getByRole('searchbox', { name: 'Filter keys' }).inputValue()).toBe('');
    await page.getByRole('option', { name: 'Models' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    // It begins empty the next time, and what had the focus before may have Escape again.
    await page.keyboard.press('Control+K');
    await field.waitFor();
    expect(await field.inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  }, 60_000);

  it('the palette begins with what was visited last, until the sign-out', async () => {
    const { page: own, context } = await website.page({ person: await website.person('member') });
    for (const target of [`/computers/${await computer.id()}`, '/keys']) {
      await own.goto(website.url(target));
      await settle(own);
    }
    const kept = (): Promise<number> =>
      own.evaluate(`Object.keys(localStorage).filter((key) => key.startsWith('ferry.recent')).length`);
    expect(await kept()).toBe(1);
    await own.keyboard.press('Control+K');
    await own
      .getByRole('option', { name: /^studio/ })
      .first()
      .waitFor();
    expect(await own.getByRole('option').first().innerText()).toMatch(/^studio\s+Computer$/);
    await own.keyboard.press('Enter');
    await own.getByRole('heading', { name: 'studio', level: 1 }).waitFor();
    await own
      .getByRole('button', { name: /^Signed in as/ })
      .first()
      .click();
    await own.getByRole('menuitem', { name: 'Sign out' }).click();
    await own.waitForURL(/\/sign-in/);
    await settle(own);
    expect(await kept()).toBe(0);
    await context.close();
  }, 60_000);

  it('a filter of the URL that the relay refuses can be cleared', async () => {
    // The refusal is an error of this page.
    const { page: own, context } = await website.page({ person: await website.person('member') });
    await own.goto(website.url('/requests?outcome=nonsense'));
    await own.getByRole('alert').waitFor();
    expect(await own.getByLabel('Outcome').inputValue()).toBe('nonsense');
    await own.getByRole('button', { name: 'Clear filters' }).click();
    await own.getByText('No requests yet').waitFor();
    expect(new URL(own.url()).search).toBe('');
    await context.close();
  }, 60_000);

  it('completed without browser errors', () => {
    expect(shown.faults).toEqual([]);
  });
});
