// Own relay: its first account, to which people are invited.
/** The ways into the website, with real command lines and a real agent on the other side. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { settle, Website, type WatchedPage } from '../support/browser/website.harness.js';
import { eventually } from '../support/clock/eventually.js';
import { FerryProcess } from '../support/process/ferry-process.js';
import { TestRelay } from '../support/process/test-relay.js';
import { PASSWORD } from '../support/relay/people.harness.js';

let relay: TestRelay;
let website: Website;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-access-'));
  relay = await TestRelay.start();
  website = await Website.open(relay);
}, 60_000);
afterAll(async () => {
  await website.close();
  await relay.stop();
  await rm(directory, { recursive: true, force: true });
}, 30_000);

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

/** What somebody types who is new, on whichever page asks for it. */
async function introduce(page: Page, email: string): Promise<void> {
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const consoleLink = async (): Promise<string> =>
  (await relay.manage<{ url: string }>('POST', '/local/console-link', {})).url;

/** A process that waits for its approval, with the page that it names. */
async function waiting(args: readonly string[], name: string): Promise<{ process: FerryProcess; link: string }> {
  const home = path.join(directory, name);
  const env = { FERRY_DATA_DIR: home, FERRY_CONFIG_DIR: path.join(home, 'config') };
  const process = FerryProcess.start(args, env);
  const link = await eventually('the link is printed', () => {
    const found = /in a browser: (\S+)/.exec(process.stderr)?.[1];
    return Promise.resolve(found);
  });
  return { process, link };
}

describe('the link of ferry up', () => {
  it('tells an owner without a password how to add a computer when it was opened long ago', async () => {
    const { page, context } = await website.page();
    await page.goto(await consoleLink());
    await heading(page, 'You are signed in');
    await page.route('**/api/join-tokens', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const body = {
        title: 'Recent sign-in needed',
        status: 403,
        detail: 'Sign in again.',
        code: 'recent_sign_in_needed',
      };
      return route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify(body) });
    });
    await page.goto(website.url('/computers'));
    await page.getByRole('button', { name: 'Add a computer' }).first().click();
    const refusal = page.getByRole('alert').filter({ hasText: 'No token could be made' });
    await refusal.getByText('ferry nodes join-token').waitFor();
    await refusal.getByText('You have no password yet.').waitFor();
    expect(await refusal.getByText('Sign in again', { exact: true }).count()).toBe(0);
    await context.close();
  }, 60_000);

  it('signs the owner in, lets them choose a password, and is refused the second time', async () => {
    const link = await consoleLink();
    const { page, context, faults } = await website.page();
    await page.goto(link);
    await heading(page, 'You are signed in');
    expect(page.url()).toBe(website.url('/start'));
    await introduce(page, 'ada@example.com');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await heading(page, 'Overview');
    expect(faults).toEqual([]);

    const second: WatchedPage = await website.page();
    await second.page.goto(link);
    await heading(second.page, 'This link was used already');
    expect(await second.context.cookies()).toEqual([]);
    await second.page.getByRole('link', { name: 'Sign in with a password' }).click();
    await signIn(second.page, 'ada@example.com', 'not the password');
    await second.page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor();
    await signIn(second.page, 'Ada@Example.com');
    await heading(second.page, 'Overview');
    await second.page.goto(website.url('/sign-in?next=/models'));
    await heading(second.page, 'Models');
    expect(second.faults).toEqual([]);
    await second.context.close();
    await context.close();
  }, 60_000);

  it('redirects an owner who has a password to the overview', async () => {
    const { page, context, faults } = await website.page();
    await page.goto(await consoleLink());
    await heading(page, 'Overview');
    await page.goto(website.url('/settings/account'));
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);
});

describe('somebody without a session', () => {
  it.each([
    ['/device?code=ABCD-EFGH', 'Sign in to approve a device'],
    ['/reset', 'Sign in with the temporary password'],
    ['/start', 'The link is incomplete'],
  ])('who opens %s reads "%s"', async (path, title) => {
    const { page, context, faults } = await website.page();
    await page.goto(website.url(path));
    await heading(page, title);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('an invite', () => {
  it('lets a second person in as member, who sees what a member may', async () => {
    const { link } = await relay.manage<{ link: string }>('POST', '/invites', { role: 'member' });
    const { page, context, faults } = await website.page();
    await page.goto(link);
    await heading(page, 'Join Ferry');
    await page.getByText('You are invited as a member.').waitFor();
    await introduce(page, 'grace@example.com');
    await page.getByRole('button', { name: 'Join' }).click();
    await heading(page, 'Overview');
    await page.goto(website.url('/settings/members'));
    await page.getByText('grace@example.com').waitFor();
    await page.getByText('ada@example.com').waitFor();
    expect(await page.getByRole('button', { name: /Invite somebody|Manage/ }).count()).toBe(0);
    await page.goto(website.url('/settings/audit'));
    await page.getByRole('heading', { name: 'For admins' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();

    const again = await website.page();
    await again.page.goto(link);
    await heading(again.page, 'This invite cannot be used');
    await again.context.close();
  }, 60_000);

  it('leads to people of whom those with OpenID are offered no password here', async () => {
    const person = await website.person('admin', 'iris@example.com');
    const { page, context } = await website.page({ person });
    await page.route('**/api/users*', async (route) => {
      const response = await route.fetch();
      const list = (await response.json()) as { readonly data: readonly { readonly email: string }[] };
      const data = list.data.map((user) => ({ ...user, openid: user.email === 'grace@example.com' }));
      return route.fulfill({ response: response, json: { ...list, data } });
    });
    await page.goto(website.url('/settings/members'));
    const row = page.getByRole('table', { name: 'People' }).getByRole('row').filter({ hasText: 'grace@example.com' });
    await row.getByText('Signs in with OpenID; no password here').waitFor();
    await row.getByRole('button', { name: /^Manage/ }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'New password…' }).count()).toBe(0);
    await context.close();
  }, 60_000);

  it('an invite is created, shown once and revoked in the settings', async () => {
    const person = await website.person('admin', 'marie@example.com');
    const { page, context, faults } = await website.page({ person });
    await page.goto(website.url('/settings/members'));
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('dialog').getByText(`${relay.baseUrl}/console/invite#`).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const rows = page.getByRole('table', { name: 'Open invites' }).getByRole('button', { name: 'Revoke' });
    const before = await rows.count();
    await rows.first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await eventually('the invite is gone', async () => (await rows.count()) === before - 1 || undefined);
    await onlyHers(page);
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);

  /** In the audit trail, filtered by who it was. */
  async function onlyHers(page: Page): Promise<void> {
    await page.goto(website.url('/settings/audit'));
    const sentences = page.getByRole('table', { name: 'Audit trail' }).locator('[data-heading]');
    await sentences.filter({ hasText: 'Ada' }).first().waitFor();
    await page.getByRole('combobox', { name: 'By whom' }).click();
    await page.getByRole('option', { name: 'marie@example.com' }).click();
    await sentences.filter({ hasText: 'Ada' }).first().waitFor({ state: 'detached' });
    // Between the two lists the table is empty.
    await sentences.filter({ hasText: 'revoked an invite' }).first().waitFor();
    const texts = await sentences.allTextContents();
    expect(texts.filter((text) => !text.startsWith('marie@example.com'))).toEqual([]);
    expect(await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toContain('actor=usr_');
  }
});

describe('the extensions in the settings of the account', () => {
  const enabled = async (name: string): Promise<boolean | undefined> => {
    const { data } = await relay.manage<{ data: readonly { name: string; enabled: boolean }[] }>('GET', '/extensions');
    return data.find((extension) => extension.name === name)?.enabled;
  };

  it('an owner switches one on and off, which is there after a reload', async () => {
    const person = await website.person('owner', 'olga@example.com');
    const { page, context, faults } = await website.page({ person });
    await page.goto(website.url('/settings/account'));
    const section = page.getByRole('region', { name: 'Extensions' });
    for (const on of [true, false]) {
      // What is above it moves it when it is loaded.
      await settle(page);
      await section.getByRole('switch', { name: 'Token counting' }).click();
      // It moves when the relay has answered.
      await eventually('the switch is stored', async () => (await enabled('count-tokens')) === on);
      await page.reload();
      await section.getByRole('switch', { name: 'Token counting', checked: on }).waitFor();
    }
    expect(await enabled('model-by-id')).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);

  it.each(['admin', 'member'] as const)(
    'are not shown to a person with the role %s',
    async (role) => {
      const person = await website.person(role, `${role}-without-extensions@example.com`);
      const { page, context, faults } = await website.page({ person });
      await page.goto(website.url('/settings/account'));
      await page.getByRole('heading', { name: 'Account', exact: true }).first().waitFor();
      await page.getByText('Since', { exact: true }).waitFor();
      expect(await page.getByRole('heading', { name: 'Extensions' }).count()).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    },
    60_000,
  );
});

describe('ferry login', () => {
  it('ferry login is approved in the browser, after a sign-in that returns to it', async () => {
    await website.person('member', 'mary@example.com');
    const { process, link } = await waiting(['login', relay.baseUrl], 'laptop');
    const { page, context, faults } = await website.page();
    await page.goto(link);
    await heading(page, 'Sign in');
    await signIn(page, 'mary@example.com');
    await heading(page, 'Sign this command line in?');
    await page.getByRole('button', { name: 'Approve sign-in' }).click();
    await heading(page, /is signed in$/);
    expect(await process.exited).toBe(0);
    expect(process.stderr).toContain('as mary@example.com');
    await page.goto(website.url('/settings/sessions'));
    await page.getByText('Command line').first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);

  it('ferry login is denied, which the command line says', async () => {
    const person = await website.person('member', 'joan@example.com');
    const { process, link } = await waiting(['login', relay.baseUrl], 'stranger');
    const { page, context, faults } = await website.page({ person });
    await page.goto(link);
    await page.getByRole('button', { name: 'Deny' }).click();
    await heading(page, /was denied$/);
    expect(await process.exited).not.toBe(0);
    expect(process.stderr).toContain('the sign-in was refused');
    await page.goto(link);
    await page.getByText('There is no pending request with this code').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);
});

describe('ferry node join --device-code', () => {
  it('ferry node join --device-code is approved after its fingerprint is compared, and the computer is a node', async () => {
    const person = await website.person('admin', 'root@example.com');
    const args = ['node', 'join', '--device-code', '--relay', relay.baseUrl, '--name', 'attic'];
    const { process, link } = await waiting(args, 'attic');
    const fingerprint = /Fingerprint: (\S+)/.exec(process.stderr)?.[1] ?? '';
    const { page, context, faults } = await website.page({ person });
    await page.goto(link);
    await heading(page, 'Add this computer?');
    const words = await page
      .getByRole('list', { name: /Compare these words/ })
      .getByRole('listitem')
      .allTextContents();
    expect(words.join('-')).toBe(fingerprint);
    const add = page.getByRole('button', { name: 'Add computer' });
    expect(await add.isDisabled()).toBe(true);
    await page.getByText('Tick the box first.').waitFor();
    await page.getByLabel('Its screen shows the same words').check();
    await add.click();
    await heading(page, 'attic was added');
    expect(await process.exited).toBe(0);
    const { data } = await relay.manage<{ data: readonly object[] }>('GET', '/nodes');
    expect(data).toContainEqual(expect.objectContaining({ name: 'attic', status: 'active' }));
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);
});
