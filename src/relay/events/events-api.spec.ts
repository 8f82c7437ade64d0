/** `GET /api/events` on the whole relay: what the features publish, and when a feed ends. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/clock/eventually.js';
import { usageRowOf } from '../../../test/support/db/usage-rows.js';
import { RelayHarness } from '../../../test/support/relay/relay.harness.js';
import { createTenant, type Tenant } from '../../../test/support/relay/tenants.js';

let relay: RelayHarness;
let mine: Tenant;
let theirs: Tenant;

beforeAll(async () => {
  relay = await RelayHarness.start({ FERRY_EVENT_FEEDS_PER_ACCOUNT: '3', FERRY_EVENT_FEEDS_PER_USER: '2' });
  mine = await createTenant(relay, 'mine');
  theirs = await createTenant(relay, 'theirs');
}, 120_000);

afterAll(async () => {
  await relay.stop();
});

class Watcher {
  private constructor(
    readonly response: Response,
    private readonly abort: AbortController,
  ) {}
  text = '';
  over = false;

  static async open(credential: Readonly<Record<string, string>> = {}, path = 'events'): Promise<Watcher> {
    const abort = new AbortController();
    const response = await fetch(`${relay.url}/api/${path}`, { headers: credential, signal: abort.signal });
    const watcher = new Watcher(response, abort);
    void watcher.read();
    return watcher;
  }

  get topics(): string[] {
    return [...this.text.matchAll(/event: change\ndata: (.*)\n/g)].flatMap(
      ([, data]) => (JSON.parse(data ?? '') as { topics: string[] }).topics,
    );
  }

  hears(...topics: readonly string[]): Promise<unknown> {
    return eventually(`the topics ${topics.join(', ')}`, () => topics.every((topic) => this.topics.includes(topic)));
  }

  close(): void {
    this.abort.abort();
  }

  private async read(): Promise<void> {
    try {
      const decoder = new TextDecoder();
      for await (const bytes of this.response.body!) this.text += decoder.decode(bytes as Uint8Array);
    } catch {
      // Closed by the test.
    }
    this.over = true;
  }
}

const of = (tenant: Tenant, credential: string): Readonly<Record<string, string>> =>
  tenant.credentials[credential] ?? {};

const send = (path: string, body: object, credential: string, method = 'POST'): Promise<Response> =>
  fetch(`${relay.url}/api/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...of(mine, credential) },
    body: JSON.stringify(body),
  });

describe('GET /api/events', () => {
  it('reports committed changes, to their account only', async () => {
    const watcher = await Watcher.open(of(mine, 'session of owner'));
    const otherWatcher = await Watcher.open(of(theirs, 'session of owner'));
    expect(watcher.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(watcher.response.headers.get('x-ferry-keep-alive-ms')).toBe('15000');
    await send('keys', { name: 'a new key' }, 'CLI token of owner');
    await watcher.hears('keys', 'audit');
    await send('clusters', { name: 'a new cluster' }, 'CLI token of owner');
    await watcher.hears('clusters');
    await send(`nodes/${mine.ids.node}`, { name: 'renamed' }, 'CLI token of owner', 'PATCH');
    await watcher.hears('nodes', 'models');
    await send('clusters', { name: 'a new cluster' }, 'CLI token of owner');
    await send(`users/${mine.ids.user}`, { name: 'Somebody' }, 'CLI token of owner', 'PATCH');
    await watcher.hears('users');
    expect(otherWatcher.topics).toEqual([]);
    watcher.close();
    otherWatcher.close();
  });

  it('reports requests once they are in the log', async () => {
    const { UsageRecorder } = await import('../usage/usage-recorder.js');
    const recorder = relay.app.get(UsageRecorder, { strict: false });
    const watcher = await Watcher.open(of(mine, 'CLI token of member'));
    const row = usageRowOf({ account_id: mine.ids.account });
    recorder.record({
      requestId: row.id as never,
      accountId: mine.ids.account as never,
      keyPublicId: mine.ids.key as never,
      dialect: 'chat',
      stream: true,
      model: 'none',
      selector: null,
      modelName: null,
      outcome: 'rejected',
      code: 'model_not_found',
      message: null,
      nodeId: null,
      clusterId: null,
      attempts: 0,
      retried: false,
      queuedMs: 0,
      firstEventMs: null,
      totalMs: 1,
      responseBytes: 0,
      usage: null,
      usagePending: false,
    });
    await watcher.hears('requests', 'usage');
    const shown = await fetch(`${relay.url}/api/usage/requests/${row.id}`, { headers: of(mine, 'session of member') });
    expect(shown.status).toBe(200);
    watcher.close();
  });

  it('GET /api/events is bounded per person and per account', async () => {
    await eventually('no feed is open', async () => {
      const first = await Watcher.open(of(mine, 'session of owner'));
      first.close();
      return first.response.status === 200;
    });
    const feeds: Watcher[] = [];
    await eventually('the limit', async () => {
      const feed = await Watcher.open(of(mine, 'session of owner'));
      feeds.push(feed);
      return feed.response.status === 429;
    });
    expect(feeds.filter(({ response }) => response.status === 200).length).toBeLessThanOrEqual(2);
    const sameOwner = await Watcher.open(of(mine, 'session of owner'), 'operations/events');
    expect(sameOwner.response.status).toBe(429);
    await eventually('the reason', () => sameOwner.text.includes('You already have 2 open feeds'));
    const member = await Watcher.open(of(mine, 'session of member'));
    expect(member.response.status).toBe(200);
    const admin = await Watcher.open(of(mine, 'session of admin'));
    expect(admin.response.status).toBe(429);
    const other = await Watcher.open(of(theirs, 'session of owner'));
    expect(other.response.status).toBe(200);
    for (const feed of [...feeds, member, admin, other]) feed.close();
  });

  it('ends with the session', async () => {
    const watcher = await eventually('a free feed', async () => {
      const feed = await Watcher.open(of(mine, 'session of admin'));
      return feed.response.status === 200 && feed;
    });
    expect((await send('sign-out', {}, 'session of admin')).ok).toBe(true);
    await eventually('the end of the feed', () => watcher.over, 5_000);
    expect(watcher.text).toContain('"code":"invalid_credential"');
  });

  it.each(['no credential', 'API key'])('needs a signed-in user: %s', async (credential) => {
    const { response } = await Watcher.open(of(mine, credential));
    expect(response.status).toBe(401);
  });
});
