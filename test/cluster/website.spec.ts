/** The website in a real browser, through nginx to three relays without stickiness. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { framedPages } from '../support/browser/pages.js';
import { settle, Website, type WatchedPage } from '../support/browser/website.harness.js';
import { eventually } from '../support/clock/eventually.js';
import { TestNode } from '../support/process/test-node.js';
import { PASSWORD } from '../support/relay/people.harness.js';
import { RelayCluster } from '../support/replicas/relay-cluster.js';

const EMAIL = 'owner@example.com';
/** As many requests as nginx needs to have used every relay. */
const ROUNDS = 12;

describe('the website of three relays', () => {
  let cluster: RelayCluster;
  let nodes: readonly TestNode[] = [];
  let website: Website;
  let tab: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    cluster = await RelayCluster.start({ env: { FERRY_LINK_UPGRADES_PER_MINUTE: '1000' } });
    nodes = [
      await TestNode.start(cluster.front, { name: 'studio' }),
      await TestNode.start(cluster.front, { name: 'lab' }),
    ];
    website = await Website.open(cluster.front);
    await website.person('owner', EMAIL);
    tab = await website.page();
    page = tab.page;
  }, 180_000);

  afterAll(async () => {
    await website.close();
    for (const node of nodes) await node.stop();
    await cluster.stop();
  }, 120_000);

  it('signs a person in at any relay, for all of them', async () => {
    await page.goto(website.url('/sign-in'));
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    }
  }, 90_000);

  it('shows every page, with the computers of all relays', async () => {
    for (const target of framedPages) {
      await page.goto(website.url(target));
      await settle(page);
    }
    await page.goto(website.url('/computers'));
    for (const name of ['studio', 'lab']) await page.getByRole('link', { name }).first().waitFor();
    expect(tab.faults).toEqual([]);
  }, 120_000);

  it('answers in the chat, and explains the answer, whichever relay is asked', async () => {
    await page.goto(website.url('/chat'));
    await settle(page);
    for (let round = 0; round < ROUNDS / 3; round += 1) {
      if (round > 0) await page.getByRole('button', { name: 'New chat' }).click();
      await page.getByRole('combobox', { name: 'Model' }).click();
      await page.getByRole('option', { name: /tiny/ }).click();
      await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
      await page.keyboard.press('Enter');
      const response = page.getByRole('article', { name: /^Answer/ }).last();
      await response.getByText('why here?').waitFor({ timeout: 30_000 });
      expect(await response.textContent()).toContain('Hello! How can I help you today?');
    }
    await page.getByText('why here?').last().click();
    await page.getByRole('heading', { name: 'Candidates' }).waitFor();
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.reload();
      await page.getByRole('heading', { name: 'Candidates' }).waitFor();
    }
  }, 180_000);

  it('shows requests of every relay without a reload', async () => {
    await page.goto(website.url('/requests'));
    await settle(page);
    const ofTheKey = page.getByRole('row', { name: /quickstart/ });
    for (const [index, relay] of cluster.relays.entries()) {
      const response = await relay.chat({ model: 'tiny', messages: [{ role: 'user', content: 'Hello' }] });
      expect(response.status).toBe(200);
      await eventually('the row', async () => (await ofTheKey.count()) === index + 1, 20_000);
    }
    expect(tab.faults).toEqual([]);
  }, 120_000);

  it('signs out at all of them', async () => {
    const { cookies } = await page.context().storageState();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const statusAt = async (baseUrl: string): Promise<number> =>
      (await fetch(`${baseUrl}/api/account`, { headers: { cookie } })).status;
    for (const { baseUrl } of cluster.relays) expect(await statusAt(baseUrl)).toBe(200);
    await page.getByRole('button', { name: EMAIL }).last().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    for (const { baseUrl } of cluster.relays)
      await eventually('the session is over', async () => (await statusAt(baseUrl)) === 401, 5_000);
  }, 30_000);
});
