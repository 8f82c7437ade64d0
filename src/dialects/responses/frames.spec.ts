import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../kernel/json-object.js';
import { assertResponseStream } from '../../../test/support/client/openresponses-schema.js';
import { responseContext, chunk, linesOf } from '../../../test/support/engine/responses-responses.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { ResponseStream } from './from-chat/from-chat-stream.js';
import { responsesTerminalFrames, type LostStream } from './frames.js';

const lost: LostStream = {
  error: new FerryError('node_disconnected', 'The serving computer disconnected.'),
  model: 'tiny',
  request: null,
  firstBytes: null,
  lastBytes: null,
  responseId: 'resp_made_here',
  nowUnixSeconds: 7,
};
const framesOf = (fields: Partial<LostStream>): string =>
  Buffer.from(responsesTerminalFrames({ ...lost, ...fields })).toString();
const bytes = (text: string): Uint8Array => Buffer.from(text);

/** What a node had sent when it was lost, batch by batch. */
function sentBy(request: JsonObject, ...deltas: JsonObject[]): string[] {
  const stream = new ResponseStream(responseContext(request));
  return deltas.map((delta) => stream.push(chunk(delta)));
}

describe('a stream that lost its node midway', () => {
  test.each([1, 2, 3])('continues the sequence numbers and ends as failed, after %i batches', (count) => {
    const sent = sentBy({ instructions: 'Be brief.' }, { content: 'a' }, { content: 'b' }, { reasoning: 'c' }).slice(
      0,
      count,
    );
    const tail = framesOf({ firstBytes: bytes(sent[0]!), lastBytes: bytes(sent.at(-1)!) });
    const events = assertResponseStream(sent.join('') + tail);
    expect(linesOf(events).slice(-2)).toEqual(['error', 'failed failed']);
    expect(events.at(-2)).toMatchObject({
      code: 'node_disconnected',
      error: {
        type: 'server_error',
        code: 'node_disconnected',
        message: 'The serving computer disconnected.',
        param: null,
      },
    });
    expect(events.at(-1)?.['response']).toMatchObject({
      id: 'resp_1',
      created_at: 1_700_000_000,
      model: 'tiny',
      status: 'failed',
      output: [],
      instructions: 'Be brief.',
      error: { code: 'server_error', message: 'The serving computer disconnected.' },
    });
  });

  test('a stream that lost its node midway is recognised by the end of an event too long to keep', () => {
    const sent = sentBy({}, { content: 'a' }, { content: 'x'.repeat(100_000) });
    const tail = framesOf({ firstBytes: bytes(sent[0]!), lastBytes: bytes(sent[1]!.slice(-64)) });
    expect(assertResponseStream(sent.join('') + tail).length).toBeGreaterThan(4);
  });

  test('a stream that lost its node midway is recognised by its first event alone', () => {
    const [sent] = sentBy({}, { content: 'a' });
    assertResponseStream(sent! + framesOf({ firstBytes: bytes(sent!) }));
  });
});

describe('a stream that had ended', () => {
  const stream = new ResponseStream(responseContext());
  const text = stream.push(chunk({ content: 'a' }, 'stop')) + stream.finish();

  test('gets nothing more', () => {
    expect(framesOf({ firstBytes: bytes(text), lastBytes: bytes(text) })).toBe('');
  });

  test('gets the missing [DONE]', () => {
    const cut = text.slice(0, -'data: [DONE]\n\n'.length);
    expect(framesOf({ firstBytes: bytes(cut), lastBytes: bytes(cut) })).toBe('data: [DONE]\n\n');
  });
});

test('a stream without any event yet begins with the error and echoes the request', () => {
  const events = assertResponseStream(framesOf({ request: { model: 'tiny', input: 'hi', temperature: 0 } }));
  expect(linesOf(events)).toEqual(['error', 'failed failed']);
  expect(events[1]?.['response']).toMatchObject({ id: 'resp_made_here', created_at: 7, temperature: 0 });
});

describe('output of a node is not trusted', () => {
  const created = (response: unknown): string =>
    `event: response.created\ndata: ${JSON.stringify({ type: 'response.created', response, sequence_number: 0 })}\n\n`;
  const failedAfter = (firstBytes: Uint8Array) =>
    assertResponseStream(framesOf({ firstBytes }), { from: 1 }).at(-1)?.['response'] as JsonObject;

  test.each<[string, unknown, JsonObject]>([
    ['no response', null, { id: 'resp_made_here', created_at: 7 }],
    ['an id that is none', { id: 'resp_\n\nevent: x', created_at: 1 }, { id: 'resp_made_here', created_at: 1 }],
    ['an id without end', { id: `resp_${'x'.repeat(10_000)}` }, { id: 'resp_made_here' }],
    ['a time that is none', { id: 'resp_1', created_at: 'today' }, { id: 'resp_1', created_at: 7 }],
    ['another model', { id: 'resp_1', model: '/models/secret.gguf' }, { model: 'tiny' }],
    [
      'an output',
      { output: [{ type: 'message' }], usage: 'much', status: 'completed' },
      { output: [], usage: null, status: 'failed' },
    ],
    ['broken echoes', { tools: [5], text: 'x', temperature: 'hot' }, { tools: [], temperature: 1 }],
  ])('%s', (_, response, expected) => {
    expect(failedAfter(bytes(created(response)))).toMatchObject(expected);
  });

  test('nesting too deep to serialise', () => {
    const deep = '{"metadata":'.repeat(100_000) + '{}' + '}'.repeat(100_000);
    const first = `event: response.created\ndata: {"response":${deep},"sequence_number":0}\n\n`;
    expect(failedAfter(bytes(first))).toMatchObject({ id: 'resp_made_here', metadata: {} });
  });

  test.each<[string, string]>([
    ['a number inside a text', JSON.stringify({ delta: '"sequence_number":99}' })],
    ['a number that is none', '{"sequence_number":-5}'],
    ['broken JSON', '{"sequence_number":'],
  ])('%s', (_, data) => {
    assertResponseStream(framesOf({ firstBytes: bytes(created({})), lastBytes: bytes(`data: ${data}\n\n`) }), {
      from: 1,
    });
  });

  test('any bytes end in a valid error, a valid failure and one [DONE]', () => {
    const chunk = fc.oneof(
      fc.uint8Array().map((raw) => Buffer.from(raw).toString('latin1')),
      fc.jsonValue().map((value) => `data: ${JSON.stringify(value)}\n\n`),
      fc.jsonValue().map((value) => created(value)),
      fc.constantFrom('\n\n', 'event: response.failed\n', 'data: ', '"sequence_number":7}'),
    );
    const kept = fc.option(fc.array(chunk).map((chunks) => bytes(chunks.join(''))));
    fc.assert(
      fc.property(kept, kept, (firstBytes, lastBytes) => {
        const text = framesOf({ firstBytes, lastBytes });
        const from = Number(/"sequence_number":(\d+)\}\n\n/.exec(text)?.[1]);
        expect(assertResponseStream(text, { from })).toHaveLength(2);
      }),
    );
  });
});
