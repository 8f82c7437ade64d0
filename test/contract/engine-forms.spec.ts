/** Answers in another form than was asked for are read where they are whole, and are errors where not (docs/reference/engines.md#what-engines-send). */
import { describe, expect, it } from '@jest/globals';
import { conversationRoutes, hear, inferenceRoutes } from '../support/client/received-response.js';
import type { FakeCall, FakeEngine } from '../support/engine/fake-engine.js';
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

const MARK = '\uFEFF';
const reported: readonly Reported[] = [{ text: 'a' }, { text: 'b' }, { finish: 'stop', more: USAGE }];
const eventsOf = (call: FakeCall): string =>
  reported.map((part) => `data: ${JSON.stringify(chunkOf(call, part))}\n\n`).join('') + DONE;
const linesOf = (call: FakeCall): string => reported.map((part) => `${JSON.stringify(chunkOf(call, part))}\n`).join('');
const documentOf = (call: FakeCall): string => JSON.stringify(wholeOf(call, 'ab', {}, USAGE));

let relay: Tenant;
let engine: FakeEngine;

shareFakeEngine((tenant, started) => {
  relay = tenant;
  engine = started;
});

describe.each(inferenceRoutes)('through %s', (route) => {
  const complete = { status: 200, text: 'ab', ended: 'stop', usage: [5, 2] };

  it.each<[string, string, (call: FakeCall) => string]>([
    ['a document', 'application/json', documentOf],
    ['a document with a byte order mark', 'application/json; charset=utf-8', (call) => MARK + documentOf(call)],
    [
      'a document over several lines',
      'application/json',
      (call) => JSON.stringify(wholeOf(call, 'ab', {}, USAGE), null, 2),
    ],
    [
      'a document without an end',
      'application/json',
      (call) => JSON.stringify(wholeOf(call, 'ab', { finish_reason: null }, USAGE)),
    ],
    ['a document that calls itself a stream', 'text/event-stream', documentOf],
    ['a document of no type', 'application/octet-stream', documentOf],
    ['an event stream that calls itself JSON', 'application/json', eventsOf],
    ['an event stream that calls itself text', 'text/plain', eventsOf],
    ['an event stream with a byte order mark', 'text/event-stream', (call) => MARK + eventsOf(call)],
    ['an event stream behind blank lines', 'text/event-stream', (call) => `\n\n${eventsOf(call)}`],
    ['a line for each chunk', 'application/x-ndjson', linesOf],
  ])('%s is the answer, whole and streamed', async (_what, type, bodyOf) => {
    engine.respond = (call) => call.respond(200, type, bodyOf(call));
    expect(await hear(relay, route, true)).toMatchObject(complete);
    expect(await hear(relay, route, false)).toMatchObject(complete);
  });

  it.each<[string, string]>([
    ['a time stamp', 'data: 2026-03-01 07:15:00.123456\n\n'],
    ['ping', 'data: ping\n\n'],
    ['pong in an event of its own', 'event: heartbeat\ndata: pong\n\n'],
    ['a text in quotation marks', 'data: "alive"\n\n'],
    ['null', 'data: null\n\n'],
    ['blanks', 'data:    \n\n'],
    ['an object that is no chunk', 'data: {"type":"ping"}\n\n'],
    ['a comment', ': ping\n\n'],
  ])('%s between chunks is no chunk', async (_what, beat) => {
    for (const done of [DONE, 'data: [DONE] \n\n', 'data:  [DONE]\t\n\n', '']) {
      engine.respond = streams(beat, { text: 'a' }, beat, { text: 'b' }, beat, { finish: 'stop' }, beat, done);
      expect(await hear(relay, route, true)).toMatchObject({ text: 'ab', ended: 'stop' });
    }
    engine.respond = streams(beat, { text: 'a' }, beat);
    expect(await hear(relay, route, true)).toMatchObject({ ended: 'failed' });
  });

  it.each<[string, string, string]>([
    ['nothing', 'application/json', ''],
    ['nothing, as a stream', 'text/event-stream', ''],
    ['a page', 'text/html', '<!doctype html><p>Bad gateway'],
    ['a page that calls itself JSON', 'application/json', '<html><body>Bad gateway</body></html>'],
    ['a page that calls itself a stream', 'text/event-stream', '<html>\n<body>data: {"choices":[]}</body>\n</html>\n'],
    ['half a document', 'application/json', '{"choices":[{"index":0,"message":{"content":"a'],
    ['a document that is no JSON', 'application/json', '{"choices":[{"index":0,"message":{"content":NaN}}]}'],
    ['a document without choices', 'application/json', '{"choices":[]}'],
    ['a document of another kind', 'application/json', '{"hello":"world"}'],
    ['a document with an error', 'application/json', '{"error":{"message":"out of memory"}}'],
    ['a list', 'application/json', '[{"hello":"world"}]'],
    ['a text', 'application/json', '"ab"'],
  ])('%s is an error, whole and streamed', async (_what, type, body) => {
    engine.respond = (call) => call.respond(200, type, body);
    expect(await hear(relay, route, true)).toMatchObject({ status: 503, ended: 'failed' });
    expect(await hear(relay, route, false)).toMatchObject({ status: 503, ended: 'failed' });
  });

  it('broken JSON between chunks is an error, because text may be lost', async () => {
    for (const broken of ['data: {"choices": [}\n\n', 'data: [1\n\n', 'data: {"choices":[{"logprobs":NaN}]}\n\n']) {
      engine.respond = streams({ text: 'a' }, broken, { text: 'b' }, { finish: 'stop' }, DONE);
      expect(await hear(relay, route, true)).toMatchObject({ ended: 'failed' });
    }
  });
});

describe.each(conversationRoutes)('through %s', (route) => {
  it('a document with reasoning and calls is streamed whole, and a stream of them is one answer', async () => {
    const message = {
      role: 'assistant',
      reasoning_content: 'Hm.',
      content: 'So:',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'run', arguments: '{"cmd":"list"}' } },
        { id: 'b', type: 'function', function: { name: 'look', arguments: '{}' } },
      ],
    };
    const { tool_calls: calls, ...rest } = message;
    const expected = {
      text: 'So:',
      reasoning: 'Hm.',
      ended: 'tool_calls',
      calls: [
        { id: 'a', name: 'run', arguments: '{"cmd":"list"}' },
        { id: 'b', name: 'look', arguments: '{}' },
      ],
    };
    engine.respond = (call) => call.json(200, wholeOf(call, '', { message, finish_reason: 'tool_calls' }));
    expect(await hear(relay, route, true)).toMatchObject(expected);
    engine.respond = streams(
      { delta: { ...rest, content: '' } },
      { delta: { content: 'So:' } },
      ...calls.map((call, index) => ({ delta: { tool_calls: [{ index, ...call }] } })),
      { finish: 'tool_calls' },
      DONE,
    );
    expect(await hear(relay, route, false)).toMatchObject(expected);
  });

  it('a stream that breaks off is no whole answer', async () => {
    engine.respond = streams({ text: 'a' });
    expect(await hear(relay, route, false)).toMatchObject({ status: 503 });
  });
});
