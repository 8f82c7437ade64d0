// Own relay: its owner signs in, and every route is tried.
/** Sessions against other sites: what a browser sends along by itself must change nothing. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { Website } from '../support/browser/website.harness.js';
import { managementOperations, readManagementDocument } from '../support/client/management-document.js';
import { TestRelay } from '../support/process/test-relay.js';
import { PASSWORD, type Person } from '../support/relay/people.harness.js';

let relay: TestRelay;
let website: Website;
let owner: Person;
let hostile: Server;
let hostileUrl: string;
let hostilePage = '';
beforeAll(async () => {
  relay = await TestRelay.start();
  website = await Website.open(relay);
  owner = await website.person('owner', 'owner@example.com');
  // Another port of the same host is another origin of the same site: its requests carry cookies that are `SameSite=Lax`.
  hostile = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(hostilePage));
  hostile.listen(0, '127.0.0.1');
  await once(hostile, 'listening');
  hostileUrl = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}/`;
}, 60_000);
afterAll(async () => {
  hostile.closeAllConnections();
  hostile.close();
  await website.close();
  await relay.stop();
}, 30_000);

const unsafeRoutes = managementOperations(readManagementDocument())
  .filter(({ method }) => method !== 'get')
  .map(({ method, path, operation }) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path: path.replace(/\{\w+\}/g, 'absent'),
    isPublic: operation['x-required-role'] === 'public',
  }));

const json = { 'content-type': 'application/json' };
const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** What another site can make a browser send. */
const attacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'another site': { ...json, 'sec-fetch-site': 'cross-site' },
  'another origin of the site': { ...json, 'sec-fetch-site': 'same-site' },
  'an old browser on another site': { ...json, origin: 'https://hostile.example' },
  'an opaque origin': { ...json, origin: 'null' },
  'a form of another page': { ...sameOrigin, 'content-type': 'application/x-www-form-urlencoded' },
  'plain text': { ...sameOrigin, 'content-type': 'text/plain' },
};

async function state(): Promise<string> {
  const lists = ['users', 'invites', 'keys', 'clusters', 'nodes', 'sessions', 'account'];
  const responses = await Promise.all(lists.map((list) => owner.call('GET', list)));
  return JSON.stringify(responses.map(({ body }) => body)).replaceAll(/"(?:last_used|last_sign_in)":\d+/g, '');
}

describe('every route that changes something', () => {
  it.each(Object.entries(attacks))(
    'refuses requests from %s',
    async (_name, headers) => {
      const before = await state();
      const admitted: string[] = [];
      for (const { name, method, path } of unsafeRoutes.filter(({ isPublic }) => !isPublic)) {
        const response = await fetch(`${relay.baseUrl}${path}`, {
          method,
          headers: { ...headers, cookie: owner.cookie ?? '' },
          body: '{}',
        });
        const { code } = (await response.json()) as { code?: string };
        if (code !== 'cross_site_request' && code !== 'unsupported_content_type') admitted.push(`${name}: ${code}`);
      }
      expect(admitted).toEqual([]);
      expect(await state()).toBe(before);
    },
    60_000,
  );

  it('opens no session for another site', async () => {
    const { invite_token: token } = await relay.manage<{ invite_token: string }>('POST', '/invites', {});
    const { url } = await relay.manage<{ url: string }>('POST', '/local/console-link', {});
    const bodies: Readonly<Record<string, object>> = {
      'sign-in': { email: 'owner@example.com', password: PASSWORD },
      'sign-in/link': { token: url.split('#')[1] },
      'invites/accept': { token, email: 'eve@example.com', password: PASSWORD },
    };
    for (const headers of Object.values(attacks)) {
      for (const [route, body] of Object.entries(bodies)) {
        const init = { method: 'POST', headers, body: JSON.stringify(body) };
        const response = await fetch(`${relay.baseUrl}/api/${route}`, init);
        expect([route, response.status >= 400, response.headers.get('set-cookie')]).toEqual([route, true, null]);
      }
    }
  }, 60_000);

  it('survives forms and requests of a real browser on another origin', async () => {
    const { page, context } = await website.page({ person: owner });
    hostilePage = `<form id=f method=post enctype=text/plain action="${relay.baseUrl}/api/sign-out-everywhere">
      <input name='{"a":"' value='"}'></form><iframe name=t></iframe><script>
      fetch("${relay.baseUrl}/api/sign-out-everywhere", {method:"POST",mode:"no-cors",credentials:"include",body:"{}"})
        .finally(() => { f.target = "t"; f.submit(); document.title = "done" })</script>`;
    await page.goto(hostileUrl);
    await page.waitForFunction('document.title === "done"');
    await page.waitForTimeout(500);
    expect((await owner.call('GET', 'whoami')).status).toBe(200);
    await context.close();
  }, 60_000);
});

describe('the session in a browser', () => {
  it('the session in a browser has a new id after every sign-in, whatever cookie was set before', async () => {
    const { page, context } = await website.page();
    const planted = `ferry-ses-${'A'.repeat(61)}`;
    await context.addCookies([{ name: 'ferry_session_dev', value: planted, url: relay.baseUrl }]);
    const ids: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      // With a reason to sign in again: without one, whoever is signed in is led on.
      await page.goto(website.url('/sign-in?reason=recent_sign_in_needed'));
      await page.getByLabel('E-mail').fill('owner@example.com');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      ids.push(...(await context.cookies()).map(({ value }) => value));
    }
    expect(new Set([planted, ...ids]).size).toBe(3);
    await context.close();
  }, 60_000);

  it('the session in a browser is a cookie that is hidden from scripts, other paths and other sites', async () => {
    const { page, context } = await website.page();
    await page.goto((await relay.manage<{ url: string }>('POST', '/local/console-link', {})).url);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForFunction('location.hash === ""');
    // The link leaves the address bar before it is redeemed.
    const [cookie, ...others] = await eventually('the browser has a cookie', async () => {
      const cookies = await context.cookies();
      return cookies.length > 0 ? cookies : undefined;
    });
    expect(others).toEqual([]);
    // Without TLS, on this computer only, the prefix `__Host-` and `Secure` cannot be set.
    expect(cookie).toMatchObject({ name: 'ferry_session_dev', httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(await page.evaluate('document.cookie')).toBe('');
    const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])';
    expect(await page.evaluate(stored)).not.toContain('ferry-');
    await context.close();
  }, 60_000);

  it('the session in a browser is not shown in a frame of another page', async () => {
    const { page, context } = await website.page({ person: owner });
    hostilePage = `<iframe src="${website.url('/settings/account')}"></iframe>`;
    await page.goto(hostileUrl);
    await page.waitForTimeout(1_000);
    const [frame] = page.frames().slice(1);
    // The browser's own page about the refusal.
    expect(frame?.url()).toMatch(/^chrome-error:/);
    expect(await frame?.getByText('Settings').count()).toBe(0);
    const { headers } = await fetch(website.url('/sign-in'));
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    await context.close();
  }, 60_000);
});
