/** From an empty account to an answered request, by what the website shows: a computer, its model, a key, and the end of the key. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import type { Page } from 'playwright-core';
import { accessibilityFaults, settle, Website, type WatchedPage } from '../support/browser/website.harness.js';
import { eventually } from '../support/clock/eventually.js';
import { ferry, FerryProcess } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { timeFactor } from '../runner/time-factor.js';

describe('the steps to a first answer', () => {
  let relay: Tenant;
  let website: Website;
  let shown: WatchedPage;
  let page: Page;
  let folder: string;
  let node: FerryProcess | undefined;
  let secret = '';

  shareRelay(async (tenant) => {
    relay = tenant;
    website = await Website.open(relay);
    shown = await website.page({ person: await website.person('owner') });
    page = shown.page;
    folder = await mkdtemp(path.join(tmpdir(), 'ferry-browser-node-'));
  });

  afterAll(async () => {
    await node?.stop();
    await website.close();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const open = async (target: string): Promise<void> => {
    await page.goto(website.url(target));
    await settle(page);
  };
  const env = () => ({ FERRY_DATA_DIR: folder, FERRY_CONFIG_DIR: path.join(folder, 'config') });

  it('leads an account without a computer to one, and filters nothing before', async () => {
    await open('/requests');
    await page.getByRole('link', { name: 'Add a computer' }).waitFor();
    expect(await page.getByText('Running now').count()).toBe(0);
    await open('/usage');
    await page.getByRole('link', { name: 'Add a computer' }).waitFor();
    await eventually('no controls of what there is not', async () => {
      const controls = page.getByRole('main').getByRole('button', { name: /^Export/ });
      return (await controls.count()) === 0 && (await page.getByLabel('Group', { exact: true }).count()) === 0;
    });
    await open('/computers');
    await page.getByText('or make a join command in a terminal:').waitFor();
    expect(await page.getByRole('button', { name: 'Add a computer' }).count()).toBe(1);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    await page.getByText('No computers', { exact: true }).waitFor();
  }, 60_000);

  it('adds a computer by the command that it shows, and shows what was found', async () => {
    await open('/computers');
    await page.getByRole('button', { name: 'Add a computer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('is reachable only from this computer').waitFor();
    await dialog.getByText('Waiting for the computer to connect').waitFor();
    await dialog.getByText('Already has Ferry').click();
    const command = await dialog.locator('pre code').innerText();
    const [, token, address] = /^ferry node join (\S+) --relay (\S+) && ferry node run$/.exec(command) ?? [];
    expect(address).toBe(relay.baseUrl);
    const joined = await ferry(['node', 'join', token ?? '', '--relay', address ?? '', '--name', 'attic'], env());
    expect(joined.stderr).toContain('Joined');
    node = FerryProcess.start(['node', 'run'], env());
    await dialog.getByText('attic').waitFor({ timeout: 30_000 * timeFactor });
    await dialog.getByRole('link', { name: /^Next: / }).waitFor({ timeout: 30_000 * timeFactor });
    await dialog.getByText('built-in engine').waitFor();
  }, 90_000);

  it('loads and unloads its model', async () => {
    await open('/models');
    await page
      .getByText('tiny', { exact: true })
      .first()
      .waitFor({ timeout: 30_000 * timeFactor });
    const row = page.getByRole('row', { name: /tiny/ });
    const unload = row.getByRole('button', { name: 'Unload' });
    const load = row.getByRole('button', { name: 'Load…', exact: true });
    // The built-in engine loads it by itself when nothing else is configured.
    await unload
      .or(load)
      .first()
      .waitFor({ timeout: 30_000 * timeFactor });
    // Nothing runs on it, so nothing is asked.
    if (await unload.isVisible()) await unload.click();
    await load.waitFor({ timeout: 30_000 * timeFactor });
    await row.getByText('attic').waitFor();
    await row.getByText('fits', { exact: true }).waitFor();
    await load.click();
    await page.getByRole('dialog').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Load' }).click();
    await unload.waitFor({ timeout: 30_000 * timeFactor });
    await row.getByText(/loaded · [\d,]+ tokens/).waitFor();
    await row.getByRole('link', { name: 'Chat' }).waitFor();
    await page.getByText(/^Loaded 1$/).click();
    await page.getByText(/^Problem 0$/).click();
    await page.getByRole('button', { name: 'Show all' }).click();
    await row.waitFor();
  }, 120_000);

  it('notes and tags a computer, says whether it is a service, and recommends models', async () => {
    await open('/computers');
    await page.getByRole('link', { name: 'attic' }).click();
    await page.getByRole('button', { name: 'Note and tags…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Under the roof.\nHot in summer.');
    await dialog.getByRole('combobox', { name: 'Tags' }).fill('Spare,old pc,');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Hot in summer.').waitFor();
    // The dialog, which has the note too, may still be closing.
    await page.getByRole('list', { name: 'Tags' }).waitFor();
    expect(await page.getByRole('list', { name: 'Tags' }).locator('li').allTextContents()).toEqual([
      'spare',
      'old',
      'pc',
    ]);
    await page.getByRole('button', { name: 'Set up as a service' }).click();
    const help = page.getByRole('dialog', { name: 'Set up as a service' });
    await help.getByText('ferry-node service install', { exact: true }).waitFor();
    await help.getByLabel('How Ferry is installed there').selectOption('All of Ferry');
    await help.getByText('ferry node service install', { exact: true }).waitFor();
    await help.getByRole('button', { name: 'Copy command' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await help.getByRole('button', { name: 'Close' }).click();
    await help.waitFor({ state: 'detached' });
    await page.getByText('Recommended models', { exact: true }).click();
    await page.getByRole('button', { name: 'Install Qwen3 0.6B on attic' }).waitFor();
    await page.getByText('Speed on attic is not measured yet.').waitFor();
    const shelf = page.getByRole('list', { name: 'Recommended models for attic' });
    const names = await shelf.locator('strong').allTextContents();
    expect(names.slice(-2).every((name) => /Embed/.test(name))).toBe(true);
    expect(names.slice(0, -2).some((name) => /Embed/.test(name))).toBe(false);
    expect(await accessibilityFaults(page)).toEqual([]);
    await open('/computers?q=spare');
    await page.getByRole('row', { name: /attic/ }).waitFor();
  }, 60_000);

  it('creates a key that Esc does not lose, and that the openai client uses', async () => {
    await open('/keys?create=1');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: false }).first().fill('laptop');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Copy the key now.').waitFor();
    secret = await dialog.locator('pre code').first().innerText();
    expect(secret).toMatch(/^sk-ferry-/);
    expect(await dialog.locator('pre code').last().innerText()).toContain(secret);
    const leave = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 5),
      () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
    ];
    for (const attempt of leave) {
      await attempt();
      await dialog.getByText('The key was not copied.').waitFor();
      expect(await dialog.locator('pre code').first().innerText()).toBe(secret);
    }
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = dialog.getByRole('button', { name: 'Copy key' });
    expect(await copy.innerText()).toBe('Copy');
    await copy.click();
    await dialog.locator('[aria-live=polite]', { hasText: 'Copied' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Copied' }).innerText()).toBe('Copied');
    // Two seconds later it can be copied again.
    await copy.waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secret);
    const client = new OpenAI({ apiKey: secret, baseURL: `${relay.baseUrl}/v1` });
    const { choices } = await client.chat.completions.create({
      model: 'tiny',
      messages: [{ role: 'user', content: 'Count to 8' }],
      max_tokens: 8,
    });
    expect(choices[0]?.message.content).not.toBe('');
    // The time of use is written in batches.
    await page
      .getByRole('row', { name: /laptop/ })
      .locator('time')
      .first()
      .waitFor({ timeout: 90_000 * timeFactor });
  }, 150_000);

  it('revokes the key, which then is refused', async () => {
    await open('/keys');
    await page.getByRole('button', { name: 'Actions for laptop' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('row', { name: /laptop/ }).waitFor({ state: 'detached' });
    const client = new OpenAI({ apiKey: secret, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
    await eventually('the key is refused', () =>
      client.models.list().then(
        () => false,
        (error: unknown) => (error as { status?: number }).status === 401,
      ),
    );
  }, 60_000);

  it('completed without browser errors', () => {
    expect(shown.faults).toEqual([]);
  });
});
