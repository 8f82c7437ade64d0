/** The official Python client in three majors, with the extension `embeddings`: its default is base64. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClientProgram } from '../support/client/client-program.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { environments, INSTALL_WITHIN_MS, startProgram } from './environments.js';

interface EmbeddingsRequest {
  readonly input: readonly unknown[];
  readonly encoding_format?: string;
  readonly dimensions?: number;
}

let relay: Tenant;
let engine: FakeEngine;
let node: TestNode;

shareRelay((tenant) => (relay = tenant));

beforeAll(async () => {
  await relay.manage('PATCH', '/extensions/embeddings', { enabled: true });
  engine = await FakeEngine.start();
  engine.respond = (call) => {
    const { input, encoding_format: format, dimensions = 2 } = call.body as unknown as EmbeddingsRequest;
    const vector = [1, 2].slice(0, dimensions);
    const embedding = format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector;
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding }));
    call.json(200, { object: 'list', data, model: '/secret', usage: { prompt_tokens: 3, total_tokens: 3 } });
  };
  node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url }] });
}, 60_000);

afterAll(async () => {
  await node.stop();
  await engine.stop();
  // A route that one account has is no unknown route for the other accounts of the shared relay.
  await relay.manage('PATCH', '/extensions/embeddings', { enabled: false });
}, 30_000);

describe.each(environments)('Python with %s', (environment) => {
  let client: ClientProgram;

  beforeAll(async () => {
    client = await startProgram(environment, relay);
  }, INSTALL_WITHIN_MS);

  afterAll(() => client.stop());

  it.each([{}, { encoding_format: 'float' }])('gets vectors with %j', async (more) => {
    const asked = { case: 'embeddings.vectors', model: 'fake', input: ['a', 'b'], more };
    expect(await client.result(asked)).toEqual({
      vectors: [
        [1, 2],
        [1, 2],
      ],
      indexes: [0, 1],
      model: 'fake',
      usage: { input: 3, total: 3 },
    });
    expect(engine.calls.at(-1)?.body['encoding_format']).toBe('encoding_format' in more ? 'float' : 'base64');
  });

  it.each([{}, { encoding_format: 'float' }])('gets shortened vectors with %j and dimensions', async (more) => {
    const asked = { case: 'embeddings.vectors', model: 'fake', input: ['a', 'b'], more: { ...more, dimensions: 1 } };
    expect(await client.result(asked)).toMatchObject({ vectors: [[1], [1]] });
  });

  it('raises with the position of an input that is none', async () => {
    const error = await client.failure({ case: 'embeddings.vectors', model: 'fake', input: ['a', ''] });
    expect(error).toMatchObject({ type: 'BadRequestError', status: 400 });
    expect(error.message).toContain('input[1]');
  });
});
