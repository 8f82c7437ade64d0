/** `POST /v1/embeddings` and `/v1/rerank` through relay, link and node: the official client, and batches over several nodes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { inventoryOf, TestNode } from '../support/process/test-node.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';

const NODES = 3;
const texts = Array.from({ length: 10_000 }, (_, index) => `text ${index}`);

/** As an engine may spell its numbers: no parser would keep it. */
const vectorOf = (text: string): string =>
  `[${text.length}.10,-0.${text.slice(-4).padStart(4, '0').replace(/\D/g, '7')}e-7]`;
const base64Of = (text: string): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeFloatLE(text.length, 0);
  bytes.writeFloatLE(Number(text.replace(/\D/g, '') || 0), 4);
  return bytes.toString('base64');
};

const inputsOf = ({ body }: FakeCall): readonly string[] => {
  const input = body['input'];
  return (Array.isArray(input) ? input : [input]) as string[];
};

/** The same for the same texts, on every engine. */
function documentOf(call: FakeCall): string {
  const asBase64 = call.body['encoding_format'] === 'base64';
  const data = inputsOf(call).map((text, index) => {
    const embedding = asBase64 ? JSON.stringify(base64Of(text)) : vectorOf(text);
    return `{"object":"embedding","index":${index},"embedding":${embedding}}`;
  });
  const usage = `{"prompt_tokens":${data.length},"total_tokens":${data.length}}`;
  return `{"object":"list","data":[${data.join(',')}],"model":"/secret/path.gguf","usage":${usage}}`;
}

const reranked = '{"model":"fake","results":[{"index":1,"relevance_score":0.10},{"index":0,"relevance_score":-3e-7}]}';

function respond(call: FakeCall): void {
  if (call.url === '/v1/rerank') call.respond(200, 'application/json', reranked);
  else call.respond(200, 'application/json', documentOf(call));
}

let relay: Tenant;
let client: OpenAI;
const engines: FakeEngine[] = [];
const nodes: TestNode[] = [];

shareRelay((tenant) => (relay = tenant));

const switchTo = async (enabled: boolean): Promise<void> => {
  for (const name of ['embeddings', 'rerank']) await relay.manage('PATCH', `/extensions/${name}`, { enabled });
};

beforeAll(async () => {
  await switchTo(true);
  client = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
  engines.push(...(await Promise.all(Array.from({ length: NODES }, () => FakeEngine.start()))));
  for (const engine of engines) engine.respond = respond;
  nodes.push(
    ...(await Promise.all(
      engines.map((engine) =>
        TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url }] }),
      ),
    )),
  );
}, 120_000);

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await Promise.all(engines.map((engine) => engine.stop()));
  // A route that one account has is no unknown route for the other accounts of the shared relay.
  await switchTo(false);
}, 60_000);

const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
  relay.fetch(path, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) });

describe('the official client', () => {
  it('gets floats, and the base64 that it asks for by default, with the same usage', async () => {
    const floats = await client.embeddings.create({ model: 'fake', input: ['a', 'b7'], encoding_format: 'float' });
    expect(floats.data.map(({ embedding }) => embedding[0])).toEqual([1.1, 2.1]);
    expect(floats).toMatchObject({ object: 'list', model: 'fake', usage: { prompt_tokens: 2, total_tokens: 2 } });
    const decoded = await client.embeddings.create({ model: 'fake', input: 'text 42' });
    expect(decoded.data[0]?.embedding).toEqual([7, 42]);
    const formats = engines.flatMap(({ calls }) => calls).map(({ body }) => body['encoding_format']);
    expect(formats).toEqual(expect.arrayContaining(['float', 'base64']));
  });

  it('gets the engine’s own bytes: every digit, with the name of the model replaced', async () => {
    const text = await (await post('/v1/embeddings', { model: 'fake', input: ['one', 'three'] })).text();
    expect(text).toContain(`"data":[{"object":"embedding","index":0,"embedding":${vectorOf('one')}}`);
    expect(text).not.toContain('/secret');
  });

  it('gets the position of an input that is none', async () => {
    const refused = client.embeddings.create({ model: 'fake', input: ['a', 7] as never });
    await expect(refused).rejects.toMatchObject({ status: 400, param: 'input[1]' });
  });
});

describe('10,000 inputs', () => {
  it('come back in order and complete from three nodes of which one is killed', async () => {
    const victim = engines[0]!;
    let asked = 0;
    victim.respond = (call) => {
      asked += 1;
      // It has answered some parts, and holds the next ones when it dies.
      if (asked <= 2) respond(call);
      else if (asked === 3) nodes[0]!.process.child.kill('SIGKILL');
    };
    const response = await post('/v1/embeddings', { model: 'fake', input: texts });
    expect(response.status).toBe(200);
    const { data, usage } = (await response.json()) as OpenAI.CreateEmbeddingResponse;
    expect(data).toHaveLength(texts.length);
    expect(data.every(({ index }, position) => index === position)).toBe(true);
    expect(data.map(({ embedding }): unknown => embedding)).toEqual(
      texts.map((text) => JSON.parse(vectorOf(text)) as unknown),
    );
    expect(usage).toEqual({ prompt_tokens: texts.length, total_tokens: texts.length });
    expect(asked).toBeGreaterThanOrEqual(3);
    for (const engine of engines) expect(engine.calls.length).toBeGreaterThan(2);
  }, 60_000);

  it('are one request in the request log, with the tokens of all parts', async () => {
    const entry = await eventually('the request was metered', async () => {
      const { data } = await relay.manage<{ data: Record<string, unknown>[] }>(
        'GET',
        '/usage/requests?dialect=embeddings',
      );
      return data.find(({ input_tokens: tokens }) => tokens === texts.length);
    });
    expect(entry).toMatchObject({ dialect: 'embeddings', outcome: 'completed', output_tokens: 0, retried: true });
  });

  it('stop on every engine when the client leaves', async () => {
    for (const engine of engines) engine.respond = () => undefined;
    const running = engines.slice(1).map((engine) => engine.nextCall());
    const leaving = new AbortController();
    const response = post('/v1/embeddings', { model: 'fake', input: texts }, leaving.signal);
    response.catch(() => undefined);
    const calls = await Promise.all(running);
    leaving.abort();
    await expect(response).rejects.toThrow();
    await Promise.all(calls.map(({ aborted }) => aborted));
    for (const engine of engines) engine.respond = respond;
  }, 30_000);
});

it('reranking gives the results of the engine, digit for digit', async () => {
  const response = await post('/v1/rerank', { model: 'fake', query: 'q', documents: ['a', 'b'] });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(reranked);
});

it('chat still goes to the same engines', async () => {
  expect(await inventoryOf(relay)).toMatchObject([{ id: 'fake', loaded: true }]);
});
