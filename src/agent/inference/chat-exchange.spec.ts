import { describe, expect, it } from '@jest/globals';
import type { OpenMessage } from '../../link/messages.js';
import type { EngineObject } from '../engines/engine.js';
import { ChatExchange } from './chat-exchange.js';

const head = { request_id: 'req_1', public_model: 'public' } as OpenMessage;
const exchange = (body = '{"model":"public","messages":[]}'): ChatExchange => new ChatExchange(Buffer.from(body), head);
const requesting = '{"model":"public","stream_options":{"include_usage":true},"messages":[]}';

const chunk = (delta: object, finish: string | null = null, extra: object = {}): EngineObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: '/home/me/secret.gguf',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...extra,
});
const usageChunk = (): EngineObject => ({
  ...chunk({}),
  choices: [],
  usage: {
    prompt_tokens: 9,
    completion_tokens: 2,
    total_tokens: 11,
    completion_tokens_details: { reasoning_tokens: 1 },
  },
});

interface Reported {
  readonly text: string;
  readonly chunks: readonly EngineObject[];
  readonly usage: ChatExchange['usage'];
}

const report = (target: ChatExchange, ...batches: EngineObject[][]): Reported => {
  const text = batches.map((batch) => target.events(batch)?.toString() ?? '').join('') + target.lastEvents().toString();
  const events = text.split('\n\n');
  expect(events.splice(-2)).toEqual(['data: [DONE]', '']);
  return { text, chunks: events.map((event) => JSON.parse(event.slice(6)) as EngineObject), usage: target.usage };
};

describe('a chat stream to the client', () => {
  it('begins every choice with a role, once, also where the engine sends none', () => {
    const other = { ...chunk({ content: 'b' }), choices: [{ index: 1, delta: { content: 'b' }, finish_reason: null }] };
    const { chunks } = report(exchange(), [chunk({ content: 'a' }), other, chunk({ content: 'c' })]);
    const roles = chunks.map(({ choices }) => (choices as { delta: { role?: string } }[])[0]?.delta.role);
    expect(roles).toEqual(['assistant', 'assistant', undefined]);
  });

  it('omits usage that the client did not request', () => {
    const beside = { usage: { prompt_tokens: 9, completion_tokens: 1 } };
    const { text, chunks, usage } = report(
      exchange(),
      [chunk({ content: 'a' }, null, beside)],
      [chunk({}, 'stop', { usage: null })],
      [usageChunk()],
    );
    expect(text).not.toContain('usage');
    expect(chunks).toHaveLength(2);
    expect(usage).toEqual({
      input_tokens: 9,
      output_tokens: 2,
      cached_tokens: null,
      reasoning_tokens: 1,
      source: 'engine',
    });
  });

  it('a chat stream to the client has the usage that the client requested', () => {
    const { chunks } = report(exchange(requesting), [chunk({ content: 'a' }, 'stop')], [usageChunk()]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 11 } });
  });

  it.each([
    '{"stream_options":{"include_usage":false}}',
    '{"stream_options":null}',
    '{"stream_options":[true]}',
    '{"stream_options":{"include_usage":true},"stream_options":{}}',
    '{"nested":{"stream_options":{"include_usage":true}}}',
    '[1]',
    '{"stream_options":{',
  ])('a chat stream to the client does not treat %s as a request for usage', (body) => {
    expect(report(exchange(body), [chunk({ content: 'a' }, 'stop')], [usageChunk()]).text).not.toContain('usage');
  });

  it('estimates usage for engines that report none', () => {
    expect(exchange().usage).toBeNull();
    const { usage } = report(exchange(), [chunk({ content: 'a' })], [chunk({ content: 'b' })], [chunk({}, 'stop')]);
    expect(usage).toMatchObject({ output_tokens: 3, source: 'counted' });
  });

  it('begins with the first output, not with a role or an empty text', () => {
    const target = exchange();
    expect(target.events([chunk({ role: 'assistant', content: null })])).toBeUndefined();
    expect(target.events([chunk({ content: '', tool_calls: [] })])).toBeUndefined();
    expect(
      target
        .events([chunk({ reasoning_content: 'hm' })])
        ?.toString()
        .split('\n\n'),
    ).toHaveLength(4);
    expect(exchange().events([chunk({}, 'stop')])).toBeDefined();
    expect(exchange().events([chunk({ tool_calls: [{ index: 0 }] })])).toBeDefined();
  });

  it('begins after a bounded number of chunks without output', () => {
    const target = exchange();
    let empty = 0;
    while (target.events([chunk({ role: 'assistant' })]) === undefined) empty += 1;
    expect(empty).toBeLessThan(100);
  });

  it('a chat stream to the client is one event per chunk and one line per event, under the public name', () => {
    const { text } = report(exchange(), [chunk({ content: 'a\nb\r\n\u2028' }), chunk({}, 'stop')]);
    expect(text.split('\n').filter((line) => line !== '')).toHaveLength(3);
    expect(text).not.toContain('secret');
    expect(text.match(/"model":"public"/g)).toHaveLength(2);
  });

  it('splits a text delta of megabytes into several events', () => {
    const content = `${'ä'.repeat(700_000)}${'👋'.repeat(300_000)}${'\u0000'.repeat(200_000)}`;
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: 'x'.repeat(400_000) } };
    const { text, chunks } = report(exchange(requesting), [
      chunk({ role: 'assistant', content, tool_calls: [call] }, 'tool_calls', { usage: { prompt_tokens: 1 } }),
    ]);
    expect(Math.max(...text.split('\n\n').map((event) => Buffer.byteLength(event)))).toBeLessThan(1_048_576);
    const choices = chunks.flatMap(
      (object) => object['choices'] as { delta: Record<string, unknown>; finish_reason: unknown }[],
    );
    expect(choices.map(({ delta }) => (delta['content'] as string | undefined) ?? '').join('')).toBe(content);
    const calls = choices.flatMap(({ delta }) => (delta['tool_calls'] as (typeof call)[] | undefined) ?? []);
    expect(calls.map((part) => part.function.arguments).join('')).toBe(call.function.arguments);
    expect(calls.filter((part) => part.function.name === 'f')).toHaveLength(1);
    expect(choices.filter(({ delta }) => 'role' in delta)).toHaveLength(1);
    expect(choices.map((choice) => choice.finish_reason).filter((reason) => reason !== null)).toEqual(['tool_calls']);
    expect(chunks.filter((object) => 'usage' in object)).toHaveLength(1);
  });

  it('adds required fields that an engine leaves out', () => {
    const { chunks } = report(exchange(), [
      { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] },
    ]);
    expect(chunks[0]).toMatchObject({
      id: 'chatcmpl-req_1',
      object: 'chat.completion.chunk',
      created: expect.any(Number),
      model: 'public',
    });
  });
});
