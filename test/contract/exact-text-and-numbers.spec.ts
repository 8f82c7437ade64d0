/** Text is valid Unicode and numbers keep their digits, to the engine and to the client (docs/reference/translation.md#text-and-numbers). */
import { describe, expect, it } from '@jest/globals';
import { conversationRoutes, hear, inferenceRoutes, type InferenceRoute } from '../support/client/received-response.js';
import type { FakeEngine } from '../support/engine/fake-engine.js';
import { chunkOf, DONE, shareFakeEngine, wholeOf } from '../support/engine/shared-fake-engine.js';
import type { Tenant } from '../support/process/tenant.js';

let relay: Tenant;
let engine: FakeEngine;

shareFakeEngine((tenant, started) => {
  relay = tenant;
  engine = started;
});

/** Half a surrogate pair, as a character or as an escape. */
const HALF = /\\u[dD][89a-fA-F]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Each text in a chunk of its own, written with escapes as Python writes them. */
function plays(...texts: readonly string[]): void {
  const escaped = (value: unknown): string =>
    JSON.stringify(value).replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  engine.respond = (call) => {
    if (!call.streaming) {
      call.respond(200, 'application/json', escaped(wholeOf(call, texts.join(''))));
      return;
    }
    call.startStream();
    for (const reported of [...texts.map((text) => ({ text })), { finish: 'stop' }])
      call.write(`data: ${escaped(chunkOf(call, reported))}\n\n`);
    call.end(DONE);
  };
}

describe.each(inferenceRoutes)('through %s, a surrogate pair', (route) => {
  it.each<[string, readonly string[], string]>([
    ['in two chunks is one character', ['so \ud83d', '\ude00!'], 'so 😀!'],
    ['in two chunks of nothing else is one character', ['a', '\ud83d', '\ude00', 'b'], 'a😀b'],
    ['in two chunks with an empty one between is one character', ['a\ud83d', '', '\ude00'], 'a😀'],
    ['without its second half is U+FFFD', ['a\ud83d', 'b'], 'a\ufffdb'],
    ['without its second half at the end is U+FFFD', ['a', 'b\ud83d'], 'ab\ufffd'],
    ['without its first half is U+FFFD', ['a', '\ude00b'], 'a\ufffdb'],
    ['whose first half comes twice keeps one character', ['\ud83d', '\ud83d', '\ude00'], '\ufffd😀'],
    ['that is whole stays, also in many chunks', ['😀', '😀', '😀', '😀'], '😀😀😀😀'],
  ])('%s', async (_what, texts, expected) => {
    plays(...texts);
    const heard = await hear(relay, route, true);
    expect(heard).toMatchObject({ text: expected, ended: 'stop' });
    expect(heard.raw).not.toMatch(HALF);
    const whole = await hear(relay, route, false);
    expect(whole.text).toBe(texts.join('').toWellFormed());
    expect(whole.raw).not.toMatch(HALF);
  });
});

describe.each(conversationRoutes)('through %s, half a surrogate pair', (route) => {
  it('in arguments, reasoning and other members leaves in no event', async () => {
    const deltas: object[] = [
      { reasoning_content: 'Hm \ud83d' },
      { reasoning_content: '\ude00' },
      { content: 'x\ud83d' },
      { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'run', arguments: '{"cmd":"\ud83d' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '\ude00\ud83d' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"}' } }] },
    ];
    engine.respond = (call) => {
      call.startStream();
      for (const delta of deltas)
        call.event(chunkOf(call, { delta, choice: { logprobs: { content: [{ token: '\udc00', logprob: 0 }] } } }));
      call.event(chunkOf(call, { finish: 'tool_calls' }));
      call.end(DONE);
    };
    const heard = await hear(relay, route, true);
    expect(heard).toMatchObject({ reasoning: 'Hm 😀', text: 'x\ufffd', calls: [{ arguments: '{"cmd":"😀\ufffd"}' }] });
    expect(heard.raw).not.toMatch(HALF);
  });

  it('is in no whole answer', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'run', arguments: '{"cmd":"\\ud83d"}' } };
    engine.respond = (asked) =>
      asked.json(200, wholeOf(asked, '', { message: { content: 'x\ud83d', tool_calls: [call] } }));
    const heard = await hear(relay, route, false);
    expect(heard.text).toBe('x\ufffd');
    if (route === 'messages') expect(heard.raw).not.toMatch(HALF);
  });
});

describe('half a surrogate pair in a request', () => {
  const bodies: Readonly<Record<InferenceRoute, string>> = {
    chat: String.raw`{"model":"fake","messages":[{"role":"user","content":"a \ud83d b \ud83d\ude00"}],"metadata":{"k":"\udC00"}}`,
    completions: String.raw`{"model":"fake","prompt":"a \ud83d b \ud83d\ude00","metadata":{"k":"\udC00"}}`,
    responses: String.raw`{"model":"fake","input":[{"role":"user","content":"a \ud83d b \ud83d\ude00"},{"type":"function_call","call_id":"c","name":"run","arguments":"{\"t\":\"\udc00\"}"},{"type":"function_call_output","call_id":"c","output":"cut \ud83d"}]}`,
    messages: String.raw`{"model":"fake","max_tokens":9,"messages":[{"role":"user","content":"a \ud83d b \ud83d\ude00"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"run","input":{"t":"\udc00"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"cut \ud83d"}]}]}`,
  };

  it.each(inferenceRoutes)(
    'half a surrogate pair in a request through %s reaches the engine as U+FFFD, and is reported',
    async (route) => {
      plays('ok');
      const heard = await hear(relay, route, false, bodies[route]);
      expect(heard).toMatchObject({ status: 200, text: 'ok' });
      const sent = engine.calls.at(-1)!.raw.toString('utf8');
      expect(JSON.stringify(JSON.parse(sent))).not.toMatch(HALF);
      expect(JSON.stringify(JSON.parse(sent))).toContain('a \ufffd b 😀');
      expect(heard.headers.get('x-ferry-translation')).toContain('unpaired_surrogates');
    },
  );

  it.each(inferenceRoutes)(
    'half a surrogate pair in a request is not reported where there is none, through %s',
    async (route) => {
      plays('ok');
      expect((await hear(relay, route, false)).headers.get('x-ferry-translation')).not.toContain('surrogates');
    },
  );
});

describe('numbers with more digits than JavaScript holds', () => {
  const schema =
    '{"type":"object","properties":{"channel":{"type":"integer","maximum":9223372036854775807,"multipleOf":1.0}}}';
  const bodies: Readonly<Record<(typeof conversationRoutes)[number], string>> = {
    chat: `{"model":"fake","messages":[{"role":"user","content":"Send"}],"seed":12345678901234567890,"tools":[{"type":"function","function":{"name":"send","parameters":${schema}}}]}`,
    responses: `{"model":"fake","input":"Send","seed":12345678901234567890,"tools":[{"type":"function","name":"send","parameters":${schema}}]}`,
    messages: `{"model":"fake","max_tokens":9,"messages":[{"role":"user","content":"Send"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"send","input":{"channel":1234567890123456789,"ratio":1.0}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"ok"}]}],"tools":[{"name":"send","input_schema":${schema}}]}`,
  };

  it.each(conversationRoutes)(
    'numbers with more digits than JavaScript holds reach the engine through %s as they are',
    async (route) => {
      plays('ok');
      const heard = await hear(relay, route, false, bodies[route]);
      expect(heard.status).toBe(200);
      const sent = engine.calls.at(-1)!.raw.toString('utf8');
      expect(sent).toContain('"maximum":9223372036854775807,"multipleOf":1.0');
      if (route === 'messages') expect(sent).toContain(String.raw`{\"channel\":1234567890123456789,\"ratio\":1.0}`);
      else expect(sent).toContain('"seed":12345678901234567890');
      // The response repeats the tools.
      if (route === 'responses') expect(heard.raw).toContain('"maximum":9223372036854775807');
    },
  );

  it.each(conversationRoutes)(
    'numbers with more digits than JavaScript holds of an engine that sends arguments as an object reach the client through %s',
    async (route) => {
      const response = (call: Parameters<FakeEngine['respond']>[0]): string => {
        const function_ = { name: 'send', arguments: 'ARGUMENTS' };
        const calls = [{ index: 0, id: 'c', type: 'function', function: function_ }];
        const object = call.streaming
          ? chunkOf(call, { delta: { tool_calls: calls }, finish: 'tool_calls' })
          : wholeOf(call, '', { message: { role: 'assistant', content: null, tool_calls: calls } });
        return JSON.stringify(object).replace('"ARGUMENTS"', '{"channel":1234567890123456789,"ratio":1.0}');
      };
      engine.respond = (call) =>
        call.streaming
          ? call.respond(200, 'text/event-stream', `data: ${response(call)}\n\n${DONE}`)
          : call.respond(200, 'application/json', response(call));
      for (const stream of [true, false]) {
        const { raw } = await hear(relay, route, stream);
        expect(raw.replaceAll('\\', '')).toContain('{"channel":1234567890123456789,"ratio":1.0}');
      }
    },
  );
});
