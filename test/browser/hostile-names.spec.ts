/** Names come from other people and other computers: no page may run, load or follow anything that is written in one. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { framedPages } from '../support/browser/pages.js';
import { settle, Website } from '../support/browser/website.harness.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import type { Person } from '../support/relay/people.harness.js';

const hostile = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '<svg/onload=alert(1)>',
  "{{constructor.constructor('alert(1)')()}}",
] as const;
const [image, script, drawing, template] = hostile;

describe('names with markup', () => {
  let relay: Tenant;
  let website: Website;
  const started: { stop(): Promise<void> }[] = [];
  let owner: Person;
  let nodeId: string;

  shareRelay(async (tenant) => {
    relay = tenant;
    website = await Website.open(relay);
    owner = await website.person('owner');
    for (const name of hostile) await relay.manage('POST', '/keys', { name, description: name });
    await relay.manage('POST', '/clusters', { name: image });
    await relay.manage('PATCH', `/clusters/${relay.credentials.cluster_id}`, { name: script });
    const { invite_token: token } = await relay.manage<{ invite_token: string }>('POST', '/invites', { role: 'admin' });
    await owner.call('PATCH', 'account', { name: drawing });
    const guest = { token, email: 'guest@example.com', password: 'a long enough password', name: drawing };
    expect((await owner.call('POST', 'invites/accept', guest)).status).toBe(201);
    const engine = await FakeEngine.start({ models: [image, template] });
    started.unshift(engine);
    const engines = [{ kind: 'openai-compatible' as const, base_url: engine.url, resident: 'all' as const }];
    started.unshift(await TestNode.start(relay, { name: 'studio', engines }));
    const { data } = await relay.manage<{ data: readonly { node_id: string }[] }>('GET', '/nodes');
    nodeId = data[0]?.node_id ?? '';
    await relay.manage('PATCH', `/nodes/${nodeId}`, { name: image });
    owner = await website.person('owner');
  });

  afterAll(async () => {
    await website.close();
    for (const part of started) await part.stop();
  }, 60_000);

  it('names with markup are shown as text on every page', async () => {
    const found: string[] = [];
    let shown = 0;
    const { page, context, faults } = await website.page({ person: owner });
    for (const path of [...framedPages, `/computers/${nodeId}`]) {
      const before = faults.length;
      await page.goto(website.url(path));
      await settle(page);
      found.push(...faults.slice(before).map((fault) => `${path}: ${fault}`));
      const injected = await page.evaluate<number>(
        "document.querySelectorAll('img[src=x], main script, [onload], [onerror]').length",
      );
      if (injected > 0) found.push(`${path}: ${injected} elements were made of names`);
      for (const name of hostile) shown += await page.getByText(name).count();
    }
    await context.close();
    expect(found).toEqual([]);
    expect(shown).toBeGreaterThan(0);
  }, 180_000);

  it('names with markup do not leave the table of keys when it is filtered by one', async () => {
    const { page, context, faults } = await website.page({ person: owner });
    await page.goto(website.url(`/keys?q=${encodeURIComponent(script)}&sort=${encodeURIComponent(image)}`));
    await settle(page);
    expect(faults).toEqual([]);
    await context.close();
  }, 60_000);

  it.each(['javascript:alert(1)', '//example.com', 'https://example.com/', '/\\example.com'])(
    'a link to %s is not followed after signing in',
    async (next) => {
      const { page, context, faults } = await website.page({ person: owner });
      await page.goto(website.url(`/sign-in?next=${encodeURIComponent(next)}`));
      await settle(page);
      expect(new URL(page.url()).origin).toBe(new URL(relay.baseUrl).origin);
      expect(faults).toEqual([]);
      await context.close();
    },
    60_000,
  );
});
