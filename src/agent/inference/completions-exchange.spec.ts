import { describe, expect, it } from '@jest/globals';
import type { OpenMessage } from '../../link/messages.js';
import type { EngineObject } from '../engines/engine.js';
import { CompletionsExchange } from './dialect-service.js';

const head = { request_id: 'req_1', public_model: 'public' } as OpenMessage;
const exchange = (fields = ''): CompletionsExchange =>
  new CompletionsExchange(Buffer.from(`{"model":"public","prompt":"Once"${fields}}`), head);

const chunk = (text: string, finish: string | null = null): EngineObject => ({
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1,
  model: '/home/me/secret.gguf',
  choices: [{ index: 0, text, logprobs: null, finish_reason: finish }],
});
const usageChunk = (): EngineObject => ({
  ...chunk(''),
  choices: [],
  usage: { prompt_tokens: 4, completion_tokens: 2 },
});

const report = (target: CompletionsExchange, ...batches: EngineObject[][]): EngineObject[] => {
  const text = batches.map((batch) => target.events(batch)?.toString() ?? '').join('') + target.lastEvents().toString();
  const events = text.split('\n\n');
  expect(events.splice(-2)).toEqual(['data: [DONE]', '']);
  return events.map((event) => JSON.parse(event.slice('data: '.length)) as EngineObject);
};

describe('a text completion stream to the client', () => {
  it('a text completion stream to the client is the text of the engine under the public name, and one [DONE]', () => {
    const target = exchange();
    const chunks = report(target, [chunk('a')], [chunk(' b')], [chunk('', 'length'), usageChunk()]);
    expect(chunks).toEqual(
      [chunk('a'), chunk(' b'), chunk('', 'length')].map((sent) => ({ ...sent, model: 'public' })),
    );
    expect(target.usage).toMatchObject({ input_tokens: 4, output_tokens: 2, source: 'engine' });
  });

  it('a text completion stream to the client has the usage that the client requested', () => {
    const target = exchange(',"stream_options":{"include_usage":true}');
    expect(report(target, [chunk('a', 'stop'), usageChunk()]).at(-1)).toMatchObject({
      choices: [],
      usage: { completion_tokens: 2 },
    });
  });

  it('begins with the first text or the end, so that another node can take over until then', () => {
    const target = exchange();
    expect(target.events([chunk('')])).toBeUndefined();
    expect(target.events([chunk('a')])).toBeDefined();
    expect(exchange().events([chunk('', 'stop')])).toBeDefined();
  });

  it('splits a text of megabytes into several events', () => {
    const text = `${'ä'.repeat(400_000)}${'👋'.repeat(200_000)}`;
    const chunks = report(exchange(), [chunk(text, 'stop')]);
    const choices = chunks.flatMap(({ choices: sent }) => sent as { text: string; finish_reason: string | null }[]);
    expect(choices.map((choice) => choice.text).join('')).toBe(text);
    expect(choices.map((choice) => choice.finish_reason).filter((reason) => reason !== null)).toEqual(['stop']);
    expect(Math.max(...chunks.map((sent) => JSON.stringify(sent).length))).toBeLessThan(1_048_576);
  });

  it('adds required fields that an engine leaves out', () => {
    const [only] = report(exchange(), [{ choices: [{ index: 0, text: 'a', finish_reason: 'stop' }] }]);
    expect(only).toMatchObject({ id: 'cmpl-req_1', object: 'text_completion', model: 'public' });
  });
});

it('a whole text completion is the answer of the engine under the public name', () => {
  const target = exchange();
  const response = { ...chunk('a b', 'stop'), usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 } };
  expect(JSON.parse(target.whole(structuredClone(response)).toString())).toEqual({ ...response, model: 'public' });
  expect(target.usage).toMatchObject({ input_tokens: 4, output_tokens: 2 });
});
