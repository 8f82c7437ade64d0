/** An account in use: computers online and offline, models, keys, people, requests of several kinds. */
import { FakeEngine } from '../engine/fake-engine.js';
import { TestNode } from '../process/test-node.js';
import type { TestRelay } from '../process/test-relay.js';

export interface Populated {
  /** Pages that exist only with data. */
  readonly pages: readonly string[];
  stop(): Promise<void>;
}

/** Longer than any column, and without a place to break. */
const LONG_NAME = 'workstation-of-the-machine-learning-group-in-the-second-basement';

export async function populate(relay: TestRelay): Promise<Populated> {
  const { cluster_id: lab } = await relay.manage<{ cluster_id: string }>('POST', '/clusters', { name: 'lab' });
  const engine = await FakeEngine.start();
  const engines = [{ kind: 'openai-compatible' as const, base_url: engine.url }];
  const [studio, gone] = await Promise.all([
    TestNode.start(relay, { name: 'studio' }),
    TestNode.start(relay, { name: LONG_NAME, clusterId: lab, engines }),
  ]);
  for (const name of [
    'codex',
    'intranet chat',
    'a key whose name is longer than most people would ever make it',
    'old',
  ]) {
    await relay.manage('POST', '/keys', { name });
  }
  await relay.manage('DELETE', '/keys/old');
  await relay.manage('POST', '/invites', { role: 'member', email: 'grace@example.com' });
  const { data } = await relay.manage<{ data: readonly { selector: string; loaded: boolean }[] }>('GET', '/models');
  const model = data.find(({ loaded }) => loaded)?.selector ?? 'tiny';
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, index) => ask(relay, index === 5 ? 'no-such-model' : model)),
  );
  await gone.stop();
  const { data: nodes } = await relay.manage<{ data: readonly { node_id: string }[] }>('GET', '/nodes');
  return {
    pages: [...nodes.map(({ node_id }) => `/computers/${node_id}`), `/requests/${ids[0] ?? ''}`],
    async stop() {
      await studio.stop();
      await engine.stop();
    },
  };
}

/** @returns the id of the request */
async function ask(relay: TestRelay, model: string): Promise<string> {
  const response = await fetch(`${relay.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${relay.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 40 }),
  });
  await response.text();
  return response.headers.get('x-request-id') ?? '';
}
