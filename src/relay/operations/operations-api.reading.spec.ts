import { describe, expect, it } from '@jest/globals';
import { eventsOf } from '../../../test/support/client/event-stream.js';
import { eventually } from '../../../test/support/clock/eventually.js';
import { operationsApiSuite } from '../../../test/support/relay/operations-api.harness.js';
import { createNodeId } from '../../kernel/ids.js';

const suite = operationsApiSuite();

const loadTiny = { kind: 'load', model: 'tiny' };

describe('GET /api/operations', () => {
  it('lists the newest first, in pages, by state and node, and nothing of other accounts', async () => {
    const node = await suite.app.addNode(suite.accountId, 'desk');
    const first = await suite.api.begin({ kind: 'install', source: 'a' });
    const second = await suite.api.begin(loadTiny);
    suite.app.result(node, first, { outcome: 'cancelled' });
    const ids = async (query: string): Promise<unknown[]> =>
      ((await suite.api.call('GET', query)).body['data'] as { id: string }[]).map(({ id }) => id);
    expect(await ids('')).toEqual([second, first]);
    expect(await ids('?limit=1')).toEqual([second]);
    const page = (await suite.api.call('GET', '?limit=1')).body;
    expect(page).toMatchObject({ object: 'list', has_more: true });
    const rest = (await suite.api.call('GET', `?limit=1&cursor=${String(page['next_cursor'])}`)).body;
    expect(rest).toMatchObject({ data: [{ id: first }], has_more: false, next_cursor: null });
    expect(await ids('?state=queued,running')).toEqual([second]);
    expect(await ids(`?node_id=${createNodeId()}`)).toEqual([]);
    expect((await suite.api.call('GET', '', undefined, suite.otherAccount.token)).body['data']).toEqual([]);
    expect((await suite.api.call('GET', `/${first}`, undefined, suite.otherAccount.token)).status).toBe(404);
    expect((await suite.api.call('POST', `/${second}/cancel`, {}, suite.otherAccount.token)).status).toBe(404);
    for (const query of ['?state=odd', '?limit=0', '?limit=x', '?cursor=nonsense', '?colour=red']) {
      expect((await suite.api.call('GET', query)).status).toBe(400);
    }
  });
});

describe('GET /api/operations/{id}/events', () => {
  const states = (texts: readonly string[]): unknown[] =>
    texts
      .filter((text) => text.startsWith('event: operation\ndata: '))
      .map((text) => (JSON.parse(text.slice('event: operation\ndata: '.length)) as { state: string }).state);

  it('begins with the current state, follows every change, and ends after the outcome', async () => {
    const node = await suite.app.addNode(suite.accountId, 'desk');
    const id = await suite.api.begin(loadTiny);
    const response = await suite.api.request('GET', `/${id}/events`);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const seen: string[] = [];
    for await (const { text } of eventsOf(response)) {
      seen.push(text);
      const shown = states(seen);
      if (shown.length === 1 && text !== seen[0]) suite.app.progress(node, id);
      if (shown.at(-1) === 'running') suite.app.result(node, id);
    }
    expect(states(seen)).toEqual(['queued', 'running', 'succeeded']);
    const again = await suite.api.request('GET', `/${id}/events`);
    const late: string[] = [];
    for await (const { text } of eventsOf(again)) late.push(text);
    expect(states(late)).toEqual(['succeeded']);
  });

  it('answers with a status when there is nothing to watch', async () => {
    expect((await suite.api.call('GET', `/op_${'0'.repeat(32)}/events`)).status).toBe(404);
    expect((await suite.api.call('GET', '/nonsense/events')).status).toBe(404);
    expect((await suite.api.request('GET', '/events', undefined, 'nonsense')).status).toBe(401);
  });

  it('GET /api/operations/{id}/events is bounded per account', async () => {
    const over = new AbortController();
    const open = (): Promise<Response> =>
      fetch(`${suite.app.management.url}/api/operations/events`, {
        headers: { authorization: `Bearer ${suite.api.token}` },
        signal: over.signal,
      });
    for (const expected of [200, 200, 200, 429]) expect((await open()).status).toBe(expected);
    over.abort();
    await eventually('the places are free again', async () => (await open().catch(() => undefined))?.status !== 429);
  });
});

describe('a relay that stops', () => {
  it('tells its watchers to reconnect', async () => {
    const response = await suite.api.request('GET', '/events');
    void suite.app.management.drain.drain({ timeoutMs: 1_000, onProblem: () => undefined });
    const texts: string[] = [];
    for await (const { text } of eventsOf(response)) texts.push(text);
    expect(texts.at(-1)).toMatch(/^event: error\ndata: .*"code":"draining"/);
    expect((await suite.api.call('GET', '/events')).status).toBe(503);
  });
});
