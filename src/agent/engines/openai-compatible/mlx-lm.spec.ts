import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ask, greeting } from '../../../../test/engines/engine-questions.js';
import { EngineHarness } from '../../../../test/support/engine/engine.harness.js';
import type { Engine } from '../engine.js';

const MODEL = '/path/tiny-hf';
/** Recorded, mlx-lm 0.32.2: 404 for every failure. */
const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' }],
};

let harness: EngineHarness;
beforeEach(() => {
  harness = new EngineHarness();
});
afterEach(() => harness.close());

async function mlxLm(status: number, said: object): Promise<Engine> {
  const url = await harness.serve((request, response) => {
    const isList = request.url === '/v1/models';
    const isChat = request.url?.endsWith('/completions') === true;
    const body = isList ? { object: 'list', data: [{ id: MODEL, object: 'model', created: 1 }] } : isChat ? said : {};
    response.writeHead(isList ? 200 : isChat ? status : 404, {
      server: 'BaseHTTP/0.6 Python/3.11.7',
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(body));
  });
  const engine = harness.engineAt(url);
  await engine.start();
  return engine;
}

describe('mlx-lm', () => {
  it.each([
    ['generation thread died', { code: 'engine_error', status: 503 }],
    ['Cannot apply chat template to an empty conversation. Provide at least one message.', { status: 400 }],
    ["Only 'text' content type is supported.", { code: 'unsupported_capability', status: 400, param: 'messages' }],
  ])('answers 404 to everything, and means: %s', async (error, failure) => {
    const engine = await mlxLm(404, { error });
    await expect(ask(engine, MODEL, greeting, { stream: false })).rejects.toMatchObject({ failure });
  });

  it('does not lack text completions because they failed', async () => {
    const engine = await mlxLm(404, { error: 'generation thread died' });
    const body = Buffer.from('{"prompt":"Once"}');
    const { signal } = new AbortController();
    await expect(
      engine.run({ route: 'completions', engineModel: MODEL, body, stream: false, signal }),
    ).rejects.toMatchObject({ failure: { code: 'engine_error', status: 503 } });
  });

  it('reports what it ignores', async () => {
    const engine = await mlxLm(200, answer);
    const fields = { tool_choice: 'required', response_format: { type: 'json_object' }, n: 2 };
    expect((await ask(engine, MODEL, { ...greeting, ...fields }, { stream: false })).dropped).toEqual(
      expect.arrayContaining(Object.keys(fields)),
    );
    const usual = { tool_choice: 'auto', response_format: { type: 'text' }, n: 1 };
    expect((await ask(engine, MODEL, { ...greeting, ...usual }, { stream: false })).dropped ?? []).toEqual([]);
  });
});
