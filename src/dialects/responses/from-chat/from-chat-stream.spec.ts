import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../kernel/json-object.js';
import { assertResponseStream } from '../../../../test/support/client/openresponses-schema.js';
import {
  responseContext,
  callChunk,
  chunk,
  CREATED_AT_SECONDS,
  linesOf,
  streamOf,
  usageChunk,
} from '../../../../test/support/engine/responses-responses.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { ResponseStream } from './from-chat-stream.js';

const role = chunk({ role: 'assistant', content: '' });
const stop = chunk({}, 'stop');
const beginning = ['created in_progress', 'in_progress in_progress'];
const readAll = (chunks: readonly JsonObject[], request: JsonObject = {}) =>
  assertResponseStream(streamOf(chunks, responseContext(request)));
const linesFor = (chunks: readonly JsonObject[], request: JsonObject = {}) => linesOf(readAll(chunks, request));
const finalOf = (chunks: readonly JsonObject[], request: JsonObject = {}) =>
  readAll(chunks, request).at(-1)?.['response'] as JsonObject & { output: readonly JsonObject[] };

const textEvents = (index: number, deltas: readonly string[], status = 'completed') => [
  `output_item.added #${String(index)} message in_progress`,
  `content_part.added #${String(index)} output_text ""`,
  ...deltas.map((delta) => `output_text.delta #${String(index)} ${JSON.stringify(delta)}`),
  `output_text.done #${String(index)} ${JSON.stringify(deltas.join(''))}`,
  `content_part.done #${String(index)} output_text ${JSON.stringify(deltas.join(''))}`,
  `output_item.done #${String(index)} message ${status}`,
];

const reasoningEvents = (index: number, deltas: readonly string[]) => [
  `output_item.added #${String(index)} reasoning -`,
  `reasoning_summary_part.added #${String(index)} summary_text ""`,
  ...deltas.map((delta) => `reasoning_summary_text.delta #${String(index)} ${JSON.stringify(delta)}`),
  `reasoning_summary_text.done #${String(index)} ${JSON.stringify(deltas.join(''))}`,
  `reasoning_summary_part.done #${String(index)} summary_text ${JSON.stringify(deltas.join(''))}`,
  `output_item.done #${String(index)} reasoning -`,
];

const callEvents = (index: number, deltas: readonly string[], status = 'completed') => [
  `output_item.added #${String(index)} function_call in_progress`,
  ...deltas.map((delta) => `function_call_arguments.delta #${String(index)} ${JSON.stringify(delta)}`),
  `function_call_arguments.done #${String(index)} ${JSON.stringify(deltas.join(''))}`,
  `output_item.done #${String(index)} function_call ${status}`,
];

describe('the events of an answer', () => {
  test('text', () => {
    expect(linesFor([role, chunk({ content: 'Hel' }), chunk({ content: 'lo' }), stop])).toEqual([
      ...beginning,
      ...textEvents(0, ['Hel', 'lo']),
      'completed completed',
    ]);
  });

  test('reasoning, text and a call, each closed before the next begins', () => {
    const chunks = [
      role,
      chunk({ reasoning_content: 'hm' }),
      chunk({ content: 'Look:' }),
      callChunk({ index: 0, id: 'c1', name: 'f', arguments: '{"a"' }),
      callChunk({ index: 0, arguments: ':1}' }),
      chunk({}, 'tool_calls'),
    ];
    expect(linesFor(chunks)).toEqual([
      ...beginning,
      ...reasoningEvents(0, ['hm']),
      ...textEvents(1, ['Look:']),
      ...callEvents(2, ['{"a"', ':1}']),
      'completed completed',
    ]);
  });

  test('parallel calls that interleave stay open, and are closed in output order', () => {
    const chunks = [
      callChunk({ index: 0, id: 'c1', name: 'f', arguments: '' }),
      callChunk({ index: 1, id: 'c2', name: 'g', arguments: '{"b"' }),
      callChunk({ index: 0, arguments: '{"a":1}' }),
      callChunk({ index: 1, arguments: ':2}' }),
      chunk({}, 'tool_calls'),
    ];
    expect(linesFor(chunks)).toEqual([
      ...beginning,
      'output_item.added #0 function_call in_progress',
      'output_item.added #1 function_call in_progress',
      'function_call_arguments.delta #1 "{\\"b\\""',
      'function_call_arguments.delta #0 "{\\"a\\":1}"',
      'function_call_arguments.delta #1 ":2}"',
      ...callEvents(0, ['{"a":1}']).slice(-2),
      ...callEvents(1, ['{"b":2}']).slice(-2),
      'completed completed',
    ]);
  });

  test('text after calls closes them and begins another message', () => {
    const chunks = [
      chunk({ content: 'a' }),
      callChunk({ index: 0, id: 'c1', name: 'f', arguments: '{}' }),
      chunk({ content: 'b' }),
      stop,
    ];
    expect(linesFor(chunks)).toEqual([
      ...beginning,
      ...textEvents(0, ['a']),
      ...callEvents(1, ['{}']),
      ...textEvents(2, ['b']),
      'completed completed',
    ]);
  });

  test('text between two fragments of one call does not end the call', () => {
    const chunks = [
      callChunk({ index: 0, id: 'c1', name: 'f', arguments: '{"a"' }),
      chunk({ content: '\n' }),
      callChunk({ index: 0, arguments: ':1}' }),
      stop,
    ];
    expect(finalOf(chunks).output).toMatchObject([{ arguments: '{"a":1}' }, { content: [{ text: '\n' }] }]);
  });

  test('a refusal after text in the same message', () => {
    expect(linesFor([chunk({ content: 'a' }), chunk({ refusal: 'no' }), stop])).toEqual([
      ...beginning,
      ...textEvents(0, ['a']).slice(0, -1),
      'content_part.added #0 refusal ""',
      'refusal.delta #0 "no"',
      'refusal.done #0 "no"',
      'content_part.done #0 refusal "no"',
      'output_item.done #0 message completed',
      'completed completed',
    ]);
  });

  test('an answer of nothing is an empty message', () => {
    expect(linesFor([role, stop])).toEqual([...beginning, ...textEvents(0, []), 'completed completed']);
  });

  test('content and calls of one chunk are both sent', () => {
    const both = chunk({ content: 'a', tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }] });
    expect(linesFor([both, stop])).toEqual([
      ...beginning,
      ...textEvents(0, ['a']),
      ...callEvents(1, ['{}']),
      'completed completed',
    ]);
  });

  test('the first events wait for the first output, unless requested earlier', () => {
    const stream = new ResponseStream(responseContext());
    expect(stream.push(role)).toBe('');
    expect(stream.push(usageChunk({ prompt_tokens: 1, completion_tokens: 0 }))).toBe('');
    expect(stream.keepAlive().match(/^event: .*|"sequence_number":\d+/gm)).toEqual([
      'event: response.created',
      '"sequence_number":0',
      'event: response.in_progress',
      '"sequence_number":1',
    ]);
    expect(stream.keepAlive().match(/^event: .*|"sequence_number":\d+/gm)).toEqual([
      'event: response.in_progress',
      '"sequence_number":2',
    ]);
    const output = stream.push(chunk({ content: 'a' }));
    expect(output).not.toContain('response.created');
    expect(output).toContain('"sequence_number":3');
  });

  test('a text too long for one event is split without cutting a character', () => {
    const long = '\u{1F600}'.repeat(200_000);
    const events = readAll([chunk({ content: long }), stop]);
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => String(delta));
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.every((delta) => Buffer.byteLength(JSON.stringify(delta)) < 1024 * 1024)).toBe(true);
    expect(deltas.every((delta) => Buffer.from(delta).toString() === delta)).toBe(true);
    expect(deltas.join('')).toBe(long);
  });
});

describe('how an answer ends', () => {
  test.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('%s: incomplete, and so is the last item', (finishReason, reason) => {
    const chunks = [chunk({ reasoning: 'hm' }), chunk({ content: 'a' }), chunk({}, finishReason)];
    const lines = linesFor(chunks);
    expect(lines.slice(-2)).toEqual(['output_item.done #1 message incomplete', 'incomplete incomplete']);
    expect(finalOf(chunks)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
      output: [{ type: 'reasoning' }, { status: 'incomplete' }],
    });
    expect(finalOf(chunks).output[0]).not.toHaveProperty('status');
  });

  test('a limit that cuts reasoning marks the reasoning', () => {
    expect(finalOf([chunk({ reasoning: 'hm' }), chunk({}, 'length')]).output).toMatchObject([
      { type: 'reasoning', status: 'incomplete' },
    ]);
  });

  test('a truncated call keeps its partial arguments and is incomplete', () => {
    const chunks = [
      callChunk({ index: 0, id: 'c1', name: 'f', arguments: '{"a":1}' }),
      callChunk({ index: 1, id: 'c2', name: 'g' }),
      chunk({}, 'length'),
    ];
    expect(finalOf(chunks).output).toMatchObject([
      { status: 'completed', arguments: '{"a":1}' },
      { status: 'incomplete', arguments: '' },
    ]);
  });

  test.each(['stop', 'tool_calls', 'function_call', 'eos_token', 'abort'])('%s: completed', (finishReason) => {
    expect(finalOf([chunk({ content: 'a' }), chunk({}, finishReason)])).toMatchObject({
      status: 'completed',
      incomplete_details: null,
    });
  });

  test('a stream without a finish reason has not ended', () => {
    const stream = new ResponseStream(responseContext());
    stream.push(chunk({ content: 'a' }));
    expect(() => stream.finish()).toThrow(expect.objectContaining({ code: 'engine_error' }));
  });

  test('a call without a name does not end the stream', () => {
    const stream = new ResponseStream(responseContext());
    stream.push(callChunk({ index: 0, id: 'c', arguments: '{"a":1}' }));
    stream.push(chunk({}, 'tool_calls'));
    expect(() => stream.finish()).toThrow(expect.objectContaining({ code: 'engine_error' }));
  });

  test('a failure is sent as two events with the items so far, and ends the stream', () => {
    const stream = new ResponseStream(responseContext());
    let text = stream.push(chunk({ reasoning: 'hm' })) + stream.push(chunk({ content: 'a' }));
    text += stream.fail(new FerryError('engine_error', 'The engine died.'));
    const events = assertResponseStream(text);
    expect(linesOf(events).slice(-3)).toEqual(['output_text.delta #1 "a"', 'error', 'failed failed']);
    expect(events.at(-2)).toMatchObject({
      code: 'engine_error',
      message: 'The engine died.',
      param: null,
      error: { type: 'server_error', code: 'engine_error', message: 'The engine died.', param: null },
    });
    expect(events.at(-1)?.['response']).toMatchObject({
      status: 'failed',
      error: { code: 'server_error', message: 'The engine died.' },
      completed_at: null,
      output: [{ type: 'reasoning' }, { type: 'message', status: 'incomplete', content: [{ text: 'a' }] }],
    });
  });

  test('a failure before any output is still a complete stream', () => {
    const events = assertResponseStream(new ResponseStream(responseContext()).fail(new FerryError('engine_timeout')));
    expect(linesOf(events)).toEqual([...beginning, 'error', 'failed failed']);
  });

  test('an answer beyond the size limit fails', () => {
    const stream = new ResponseStream(responseContext());
    const push = (): unknown => stream.push(chunk({ content: 'x'.repeat(1024 * 1024) }));
    for (let index = 0; index < 16; index += 1) push();
    expect(push).toThrow(expect.objectContaining({ code: 'engine_error' }));
  });
});

describe('the snapshots', () => {
  test('every one has the identity of the response, and the last one the whole output', () => {
    const response = finalOf([
      chunk({ content: 'Hello' }),
      stop,
      usageChunk({ prompt_tokens: 3, completion_tokens: 4 }),
    ]);
    expect(response).toMatchObject({
      id: 'resp_1',
      object: 'response',
      created_at: CREATED_AT_SECONDS,
      completed_at: CREATED_AT_SECONDS,
      model: 'tiny',
      status: 'completed',
      error: null,
      output: [
        {
          type: 'message',
          id: 'msg_1',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 3,
        output_tokens: 4,
        total_tokens: 7,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    });
  });

  test('details of the usage are passed on, and those of incomplete answers too', () => {
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 8,
      prompt_tokens_details: { cached_tokens: 7 },
      completion_tokens_details: { reasoning_tokens: 6 },
    };
    expect(finalOf([chunk({ content: 'a' }, 'length'), usageChunk(usage)])['usage']).toMatchObject({
      input_tokens_details: { cached_tokens: 7 },
      output_tokens_details: { reasoning_tokens: 6 },
    });
  });

  test('the last usage counts when every chunk has one', () => {
    const chunks = [1, 2].map((tokens) => ({
      ...chunk({ content: 'a' }),
      usage: { prompt_tokens: 1, completion_tokens: tokens },
    }));
    expect(finalOf([...chunks, stop])['usage']).toMatchObject({ output_tokens: 2 });
  });

  test('usage that the engine does not report is not invented', () => {
    expect(finalOf([chunk({ content: 'a' }), stop])['usage']).toBeNull();
  });

  test('the items are those that are stored', () => {
    const stream = new ResponseStream(responseContext());
    stream.push(chunk({ content: 'a' }));
    stream.push(chunk({}, 'stop'));
    stream.finish();
    expect(stream.items).toMatchObject([{ type: 'message', status: 'completed', content: [{ text: 'a' }] }]);
  });
});
