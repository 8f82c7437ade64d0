/**
 * The official client reads what the translation makes: the judge of the event grammar beside the schema
 * (docs/reference/client-protocols.md#responses).
 */
import { afterEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import type { JsonObject } from '../../../src/kernel/json-object.js';
import { Loopback } from '../../support/network/loopback.js';
import { responseContext, callChunk, chunk, streamOf, usageChunk } from '../../support/engine/responses-responses.js';
import { FerryError } from '../../../src/kernel/errors/ferry-error.js';
import { ResponseStream } from '../../../src/dialects/responses/from-chat/from-chat-stream.js';
import { responseFromChat } from '../../../src/dialects/responses/from-chat/from-chat.js';
import { responsesTerminalFrames } from '../../../src/dialects/responses/frames.js';

let server: Loopback | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function clientReading(body: string, contentType = 'text/event-stream; charset=utf-8'): Promise<OpenAI> {
  server = await Loopback.start((_request, response) => {
    response.writeHead(200, { 'content-type': contentType }).end(body);
  });
  return new OpenAI({ apiKey: 'sk-test', baseURL: `${server.url}/v1`, maxRetries: 0 });
}

const request = { model: 'tiny', input: 'Hi' };
const finalResponse = async (text: string, fields: object = {}) =>
  (await clientReading(text)).responses.stream({ ...request, ...fields }).finalResponse();

describe('the stream helper of the official client', () => {
  test('reads text', async () => {
    const response = await finalResponse(
      streamOf([
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }, 'stop'),
        usageChunk({ prompt_tokens: 1, completion_tokens: 2 }),
      ]),
    );
    expect(response).toMatchObject({ status: 'completed', output_text: 'Hello', usage: { total_tokens: 3 } });
  });

  test('reads reasoning, text and parallel calls that interleave', async () => {
    const response = await finalResponse(
      streamOf([
        chunk({ reasoning_content: 'hm' }),
        chunk({ content: 'Look:' }),
        callChunk({ index: 0, id: 'c1', name: 'f', arguments: '{"a"' }),
        callChunk({ index: 1, id: 'c2', name: 'g', arguments: '{"b"' }),
        callChunk({ index: 0, arguments: ':1}' }),
        callChunk({ index: 1, arguments: ':2}' }),
        chunk({}, 'tool_calls'),
      ]),
    );
    expect(response.output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'hm' }] },
      { type: 'message', content: [{ text: 'Look:' }] },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'c2', name: 'g', arguments: '{"b":2}' },
    ]);
  });

  test('reads text that resumes while a call is being written', async () => {
    const response = await finalResponse(
      streamOf([
        chunk({ content: 'a' }),
        callChunk({ index: 0, id: 'c1', name: 'f', arguments: '{"a"' }),
        chunk({ content: 'b' }),
        callChunk({ index: 0, arguments: ':1}' }),
        chunk({}, 'stop'),
      ]),
    );
    expect(response.output_text).toBe('ab');
    expect(response.output[1]).toMatchObject({ type: 'function_call', arguments: '{"a":1}' });
  });

  test('reads a refusal, and an answer of nothing', async () => {
    const refusal = await finalResponse(streamOf([chunk({ refusal: 'no' }, 'stop')]));
    expect(refusal.output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'no' }] }]);
    await server?.close();
    const nothing = await finalResponse(streamOf([chunk({}, 'stop')]));
    expect(nothing).toMatchObject({ status: 'completed', output_text: '' });
  });

  test('reads an answer that a limit cut', async () => {
    const response = await finalResponse(streamOf([chunk({ content: 'Hel' }, 'length')]));
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output_text: 'Hel',
    });
  });

  test('reads the calls of custom tools', async () => {
    const tools = [{ type: 'custom' as const, name: 'patch' }];
    const chunks = [
      callChunk({ index: 0, id: 'c', name: 'patch', arguments: '{"input":"a\\nb"}' }),
      chunk({}, 'tool_calls'),
    ];
    const response = await finalResponse(streamOf(chunks, responseContext({ tools })), { tools });
    expect(response.output).toMatchObject([{ type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'a\nb' }]);
  });

  test('parses an answer that follows a schema', async () => {
    const format = { type: 'json_schema' as const, name: 'x', schema: { type: 'object' }, strict: true };
    const text = streamOf(
      [chunk({ content: '{"a":' }), chunk({ content: '1}' }, 'stop')],
      responseContext({ text: { format } }),
    );
    expect((await finalResponse(text, { text: { format } })).output_text).toBe('{"a":1}');
  });
});

describe('the official client raises', () => {
  const failure = new FerryError('node_disconnected', 'The serving computer disconnected.');

  test.each<[string, () => string]>([
    [
      'when the engine fails in the middle',
      () => {
        const stream = new ResponseStream(responseContext());
        return stream.push(chunk({ content: 'Hel' })) + stream.fail(failure);
      },
    ],
    [
      'when the node is lost in the middle',
      () => {
        const sent = new ResponseStream(responseContext()).push(chunk({ content: 'Hel' }));
        const frames = responsesTerminalFrames({
          error: failure,
          model: 'tiny',
          request: null,
          firstBytes: Buffer.from(sent),
          lastBytes: Buffer.from(sent),
          responseId: 'resp_1',
          nowUnixSeconds: 1,
        });
        return sent + Buffer.from(frames).toString();
      },
    ],
    [
      'when the node is lost before it said anything',
      () =>
        Buffer.from(
          responsesTerminalFrames({
            error: failure,
            model: 'tiny',
            request,
            firstBytes: null,
            lastBytes: null,
            responseId: 'resp_1',
            nowUnixSeconds: 1,
          }),
        ).toString(),
    ],
  ])('%s', async (_, text) => {
    await expect(finalResponse(text())).rejects.toThrow('The serving computer disconnected.');
  });
});

test('the official client reads events one by one and skips keep-alives', async () => {
  const client = await clientReading(`: keep-alive\n\n${streamOf([chunk({ content: 'Hello' }, 'stop')])}`);
  const types: string[] = [];
  for await (const event of await client.responses.create({ ...request, stream: true })) types.push(event.type);
  expect(types[0]).toBe('response.created');
  expect(types.at(-1)).toBe('response.completed');
});

test('the official client reads a whole response', async () => {
  const result: JsonObject = {
    choices: [
      {
        message: {
          content: 'Hello',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  };
  const client = await clientReading(JSON.stringify(responseFromChat(result, responseContext())), 'application/json');
  const response = await client.responses.create(request);
  expect(response).toMatchObject({
    status: 'completed',
    output_text: 'Hello',
    output: [{}, { type: 'function_call', call_id: 'c1' }],
  });
});
