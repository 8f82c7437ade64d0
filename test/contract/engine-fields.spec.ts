/** Members that engines spell in their own way reach every client in the types of its protocol (docs/reference/engines.md#what-engines-send). */
import { describe, expect, it } from '@jest/globals';
import { conversationRoutes, hear, inferenceRoutes, type Heard } from '../support/client/received-response.js';
import { dataOf } from '../support/client/event-stream.js';
import type { FakeEngine } from '../support/engine/fake-engine.js';
import {
  chunkOf,
  DONE,
  shareFakeEngine,
  streams,
  USAGE,
  wholeOf,
  type Reported,
} from '../support/engine/shared-fake-engine.js';
import type { Tenant } from '../support/process/tenant.js';

type Json = Record<string, unknown>;

let relay: Tenant;
let engine: FakeEngine;

shareFakeEngine((tenant, started) => {
  relay = tenant;
  engine = started;
});

const streamed = (...parts: Reported[]) => streams(...parts, { finish: 'stop' }, DONE);
const chunksOf = ({ raw }: Heard): Json[] => dataOf(raw.split('\n\n'));
const choicesOf = (heard: Heard): Json[] => chunksOf(heard).flatMap(({ choices }) => choices as Json[]);

describe.each(conversationRoutes)('through %s', (route) => {
  const parts = (...list: unknown[]): Reported => ({ delta: { content: list } });

  it.each<[string, Reported, string, string]>([
    [
      'with thinking in parts of its own',
      parts({ type: 'thinking', thinking: [{ type: 'text', text: 'Well. ' }] }, { type: 'text', text: 'No' }),
      'No',
      'Well. ',
    ],
    [
      'with thinking as a text',
      parts({ type: 'thinking', thinking: 'Well. ' }, { type: 'output_text', text: 'No' }),
      'No',
      'Well. ',
    ],
    ['with a part called reasoning', parts({ type: 'reasoning', text: 'Well. ' }, { text: 'No' }), 'No', 'Well. '],
    [
      'with a part called thought',
      parts({ text: 'Well. ', thought: true }, { type: 'text', text: 'No' }),
      'No',
      'Well. ',
    ],
    [
      'beside reasoning in details only',
      { delta: { reasoning_details: [{ type: 'reasoning.text', text: 'Well. ' }], content: 'No' } },
      'No',
      'Well. ',
    ],
    ['of texts alone', parts('N', { type: 'text', text: 'o' }), 'No', ''],
    ['that is one part', { delta: { content: { type: 'text', text: 'No' } } }, 'No', ''],
    [
      'beside reasoning in parts',
      { delta: { reasoning_content: [{ type: 'text', text: 'Well. ' }], content: 'No' } },
      'No',
      'Well. ',
    ],
    ['beside reasoning under another name', { delta: { thinking: 'Well. ', content: 'No' } }, 'No', 'Well. '],
  ])('content %s is text, and its thinking reasoning', async (_what, reported, text, reasoning) => {
    engine.respond = (call) =>
      call.streaming
        ? streamed(reported, { text: '.' })(call)
        : call.json(200, wholeOf(call, '', { message: { role: 'assistant', ...(reported.delta as Json) } }));
    expect(await hear(relay, route, true)).toMatchObject({ text: `${text}.`, reasoning, ended: 'stop' });
    expect(await hear(relay, route, false)).toMatchObject({ text, reasoning, ended: 'stop' });
  });

  it('a delta that is null or missing is empty', async () => {
    engine.respond = streamed(
      { delta: null, choice: { delta: null } },
      { text: 'a' },
      { choice: { delta: undefined } },
    );
    const heard = await hear(relay, route, true);
    expect(heard).toMatchObject({ text: 'a', ended: 'stop' });
    if (route === 'chat')
      expect(choicesOf(heard).every(({ delta }) => typeof delta === 'object' && delta !== null)).toBe(true);
  });

  it('texts of the other route are texts', async () => {
    engine.respond = streamed({ choice: { delta: undefined, text: 'a' } }, { choice: { delta: undefined, text: 'b' } });
    expect(await hear(relay, route, true)).toMatchObject({ text: 'ab', ended: 'stop' });
    engine.respond = (call) => call.json(200, wholeOf(call, '', { message: undefined, text: 'ab' }));
    expect(await hear(relay, route, false)).toMatchObject({ text: 'ab', ended: 'stop' });
  });

  it('whole messages in a stream are deltas, and repeat nothing', async () => {
    engine.respond = streamed({ choice: { delta: undefined, message: { role: 'assistant', content: 'ab' } } });
    expect(await hear(relay, route, true)).toMatchObject({ text: 'ab' });
    engine.respond = streamed(
      { text: 'a' },
      { text: 'b' },
      { choice: { delta: undefined, message: { content: 'ab' } } },
    );
    expect(await hear(relay, route, true)).toMatchObject({ text: 'ab' });
  });
});

describe.each(inferenceRoutes)('through %s', (route) => {
  it.each([true, false])('an answer whose only choice has index 1 is the answer (stream: %s)', async (stream) => {
    const choice = { index: 1 };
    engine.respond = (call) =>
      stream
        ? streams({ text: 'a', choice }, { text: 'b', choice }, { finish: 'stop', choice }, DONE)(call)
        : call.json(200, wholeOf(call, 'ab', choice));
    const heard = await hear(relay, route, stream);
    expect(heard).toMatchObject({ text: 'ab', ended: 'stop' });
    expect(heard.raw).not.toMatch(/"index":1\b/);
  });

  it.each<[string, unknown, readonly [number, number] | null]>([
    ['as it should be', USAGE.usage, [5, 2]],
    ['in texts', { prompt_tokens: '5', completion_tokens: '2', total_tokens: '7' }, [5, 2]],
    ['without a sum', { prompt_tokens: 5, completion_tokens: 2 }, [5, 2]],
    ['with one side and the sum', { prompt_tokens: 5, total_tokens: 7 }, [5, 2]],
    ['under other names', { input_tokens: 5, output_tokens: 2 }, [5, 2]],
    ['that is empty', {}, null],
    ['that is a text', '7 tokens', null],
    ['of one side alone', { prompt_tokens: 5 }, null],
    ['in words', { prompt_tokens: 'five', completion_tokens: 2 }, null],
  ])('usage %s is figures, or none', async (_what, usage, expected) => {
    engine.respond = (call) =>
      call.streaming
        ? streams({ text: 'a' }, { finish: 'stop' }, { more: { choices: [], usage } }, DONE)(call)
        : call.json(200, wholeOf(call, 'a', {}, { usage }));
    for (const stream of [true, false]) {
      const { usage: heard, ended, text } = await hear(relay, route, stream);
      expect([text, ended]).toEqual(['a', 'stop']);
      // Clients of messages need figures: without an engine's they are estimated.
      if (expected !== null || route !== 'messages') expect(heard).toEqual(expected);
      else expect(Math.min(...(heard ?? [0]))).toBeGreaterThan(0);
    }
  });
});

describe.each(['chat', 'completions'] as const)('through %s', (route) => {
  it.each<[string, Json, Json]>([
    ['a number as id', { id: 42 }, { id: '42' }],
    ['a number of 19 digits as id', { id: 'DIGITS' }, { id: '1234567890123456789' }],
    ['an empty id', { id: '' }, { id: expect.stringMatching(/.{8}/) }],
    ['a fraction of a second', { created: 1_700_000_000.75 }, { created: 1_700_000_000 }],
    ['milliseconds', { created: 1_700_000_000_123 }, { created: 1_700_000_000 }],
    ['a time in digits', { created: '1700000000' }, { created: 1_700_000_000 }],
    ['a date', { created: '2023-11-14T22:13:20Z' }, { created: 1_700_000_000 }],
    ['no time', { created: 'now' }, { created: expect.any(Number) }],
    ['another kind', { object: 7 }, { object: expect.stringMatching(/completion/) }],
  ])('%s is what clients expect', async (_what, fields, expected) => {
    const written = (value: unknown): string => JSON.stringify(value).replaceAll('"DIGITS"', '1234567890123456789');
    engine.respond = (call) => {
      if (!call.streaming) {
        call.respond(200, 'application/json', written(wholeOf(call, 'a', {}, fields)));
        return;
      }
      call.startStream();
      for (const reported of [{ text: 'a' }, { finish: 'stop' }])
        call.write(`data: ${written(chunkOf(call, { ...reported, more: fields }))}\n\n`);
      call.end(DONE);
    };
    for (const chunk of chunksOf(await hear(relay, route, true))) expect(chunk).toMatchObject(expected);
    expect(JSON.parse((await hear(relay, route, false)).raw)).toMatchObject(expected);
  });
});

describe('through chat', () => {
  it('a whole answer without a role has one, and any other role is the assistant', async () => {
    for (const message of [{ content: 'a' }, { role: null, content: 'a' }, { role: 'model', content: 'a' }]) {
      engine.respond = (call) => call.json(200, wholeOf(call, '', { message }));
      expect(JSON.parse((await hear(relay, 'chat', false)).raw)).toMatchObject({
        choices: [{ message: { role: 'assistant', content: 'a' } }],
      });
    }
    engine.respond = streamed({ delta: { role: 'model', content: 'a' } });
    expect(choicesOf(await hear(relay, 'chat', true))).toMatchObject([{ delta: { role: 'assistant' } }, {}]);
  });

  it('several choices that were asked for keep their indices and their ends', async () => {
    engine.respond = streams(
      { text: 'b', choice: { index: 1 } },
      { text: 'a' },
      { finish: 'STOP', choice: { index: 1 } },
      { finish: 'length' },
      DONE,
    );
    const body = JSON.stringify({ model: 'fake', n: 2, stream: true, messages: [{ role: 'user', content: 'Go' }] });
    const response = await relay.fetch('/v1/chat/completions', { method: 'POST', body });
    const choices = dataOf((await response.text()).split('\n\n')).flatMap((chunk) => chunk['choices'] as Json[]);
    const ends = choices.filter((choice) => choice['finish_reason'] !== null);
    expect(ends.map((choice) => [choice['index'], choice['finish_reason']])).toEqual([
      [1, 'stop'],
      [0, 'length'],
    ]);
  });

  it('well-formed events keep every byte but the name of the model', async () => {
    const events = [
      `{"id":"answer-1","object":"chat.completion.chunk","created":1700000000,"model":"fake","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"system_fingerprint":"fp"}`,
      `{"id":"answer-1","object":"chat.completion.chunk","created":1700000000,"model":"fake","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"run","arguments":""}}]},"finish_reason":null}]}`,
      `{"id":"answer-1","object":"chat.completion.chunk","created":1700000000,"model":"fake","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"cmd\\":"}}]},"finish_reason":null}]}`,
      `{"id":"answer-1","object":"chat.completion.chunk","created":1700000000,"model":"fake","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"list\\"}"}}]},"finish_reason":null}]}`,
      `{"id":"answer-1","object":"chat.completion.chunk","created":1700000000,"model":"fake","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
      `{"id":"answer-1","object":"chat.completion.chunk","created":1700000000,"model":"fake","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}`,
    ].map((event) => `data: ${event}\n\n`);
    engine.respond = streams(...events, DONE);
    expect((await hear(relay, 'chat', true)).raw).toBe(events.join('') + DONE);
  });
});
