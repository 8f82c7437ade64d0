/** U+0000 in names cannot be stored by Postgres: it must not cost the usage of other requests (docs/reference/translation.md#text-and-numbers). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

describe('U+0000', () => {
  let relay: Tenant;
  let engine: FakeEngine;
  let node: TestNode;

  shareRelay((tenant) => {
    relay = tenant;
  });

  beforeAll(async () => {
    engine = await FakeEngine.start({ models: ['odd\u0000name', 'plain'] });
    node = await TestNode.start(relay, {
      engines: [
        {
          kind: 'openai-compatible',
          base_url: engine.url,
          resident: 'all',
          slots: 8,
          routes: ['chat', 'completions'],
        },
      ],
    });
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
  }, 60_000);

  it('U+0000 in the name of a model of an engine does not hide the others', async () => {
    const list = (await (await relay.fetch('/v1/models')).json()) as { data: { id: string }[] };
    const names = list.data.map(({ id }) => id);
    expect(names).toContain('plain');
    expect(JSON.stringify(names)).not.toContain('\\u0000');
  });

  it('U+0000 in requests costs no other request its usage', async () => {
    const good = { model: 'plain', messages: [{ role: 'user', content: 'a \u0000 b' }], user: 'a\u0000b' };
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        relay.chat(index % 10 === 5 ? { ...good, model: 'pl\u0000ain' } : good, {
          ...(index % 10 === 7 && { headers: { 'x-session-id': 's-1' } }),
        }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(27);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'model_not_found' } });
    }
    expect(engine.calls.at(-1)!.body['messages']).toEqual(good.messages);
    await eventually('all answers are in the usage', async () => {
      const { totals } = await relay.manage<{ totals: { completed: number } }>('GET', '/usage');
      return totals.completed === 27;
    });
  });

  it.each(['/keys', '/clusters'])('U+0000 in a name is refused by %s', async (route) => {
    await expect(relay.manage('POST', route, { name: 'a\u0000b' })).rejects.toThrow(': 400 ');
  });
});
