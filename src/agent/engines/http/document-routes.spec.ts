import { afterEach, describe, expect, it } from '@jest/globals';
import { askDocument } from '../../../../test/engines/engine-questions.js';
import { EngineHarness } from '../../../../test/support/engine/engine.harness.js';

const harness = new EngineHarness();
afterEach(() => harness.close());

const VECTORS = '{"object":"list","data":[{"index":0,"embedding":[0.10]}],"model":"/secret/x.gguf"}';

/** An engine whose POST routes respond with this. */
const responding = async (status: number, text: string, seen: string[] = []) =>
  harness.engineAt(
    await harness.serve((request, response, body) => {
      if (request.method === 'GET') response.writeHead(404).end();
      else {
        seen.push(`${request.url} ${body}`);
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      }
    }),
  );

describe('a route without generated text', () => {
  it.each(['embeddings', 'rerank'] as const)('%s passes the response of the engine byte for byte', async (route) => {
    const seen: string[] = [];
    const engine = await responding(200, VECTORS, seen);
    expect(await askDocument(engine, 'm', route, { input: 'a', seed: 1 })).toBe(VECTORS);
    expect(seen).toEqual([`/v1/${route} {"model":"m","input":"a","seed":1}`]);
  });

  it.each<[string, number, string]>([
    ['a 404 of a server that lacks the route', 404, '{"detail":"Not Found"}'],
    ['a 405', 405, ''],
    [
      'llama-server without its flag',
      501,
      '{"error":{"code":501,"message":"This server does not support embeddings. Start it with `--embeddings`","type":"not_supported_error"}}',
    ],
    [
      'vLLM with a model that generates',
      400,
      '{"error":{"message":"The model does not support Embeddings API","type":"BadRequestError","code":400}}',
    ],
    ['Ollama with a model that generates', 400, '{"error":"this model does not support embeddings"}'],
  ])('%s is a capability that the model lacks, which the node learns', async (_, status, text) => {
    const engine = await responding(status, text);
    await expect(askDocument(engine, 'm', 'embeddings', { input: 'a' })).rejects.toMatchObject({
      capability: 'embeddings',
      failure: { code: 'unsupported_capability', status: 400, param: 'model' },
    });
  });

  it.each<[string, number, string, object]>([
    [
      'a text that is too long',
      400,
      '{"error":{"message":"input is too large to process. increase the physical batch size"}}',
      { code: 'engine_rejected_request', status: 400 },
    ],
    ['an unknown model', 404, '{"error":{"message":"model \\"m\\" not found"}}', { status: 404 }],
    ['an error inside a 200', 200, '{"error":{"message":"broken"}}', { code: 'engine_error' }],
    ['a page', 200, '<html></html>', { code: 'engine_error' }],
    ['a busy engine', 503, '{"error":{"message":"the queue is full"}}', { unavailable: 'busy' }],
  ])('%s is not such a capability', async (_, status, text, failure) => {
    const engine = await responding(status, text);
    const refused = askDocument(engine, 'm', 'embeddings', { input: 'a' });
    await expect(refused).rejects.toMatchObject({ capability: undefined, failure });
  });

  it('closes the connection to the engine when the client leaves', async () => {
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    let arrived: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (arrived = resolve));
    const url = await harness.serve((request, response) => {
      if (request.method === 'GET') response.writeHead(404).end();
      else {
        response.on('close', closed);
        arrived();
      }
    });
    const leaving = new AbortController();
    const response = askDocument(harness.engineAt(url), 'm', 'embeddings', { input: 'a' }, leaving.signal);
    response.catch(() => undefined);
    await asked;
    leaving.abort(new Error('the client left'));
    await expect(response).rejects.toThrow('the client left');
    await gone;
  });
});
