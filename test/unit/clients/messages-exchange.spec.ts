/** What the official client makes of the bytes that a node sends. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { call, calls, chunk } from '../../support/engine/message-events.js';
import { messagesErrorFrame, messagesKeepAlive } from '../../../src/dialects/messages/frames.js';
import { FerryError } from '../../../src/kernel/errors/ferry-error.js';
import type { EngineObject } from '../../../src/agent/engines/engine.js';
import { ConversationStore } from '../../../src/agent/inference/conversations/conversation-store.js';
import { ThreadStore } from '../../../src/agent/inference/conversations/thread-store.js';
import { MessagesExchange } from '../../../src/agent/inference/messages-exchange.js';
import { ManualClock } from '../../support/clock/manual-clock.js';

const threads = new ThreadStore(new ConversationStore({ maxBytes: 0, maxAgeMs: 0, clock: new ManualClock() }));

type Handler = (exchange: MessagesExchange, write: (bytes: Uint8Array) => void) => void;

let server: Server;
let client: Anthropic;
let response: Handler;
/** What reached the engine. */
let asked: EngineObject[];

beforeEach(async () => {
  asked = [];
  server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks);
      const exchange = new MessagesExchange(
        body,
        { public_model: 'public', scope: 'a' },
        { reasoning: null },
        { threads },
      );
      const chat = JSON.parse(exchange.body.toString()) as EngineObject;
      asked.push(chat);
      res.writeHead(200, { 'content-type': chat['stream'] === true ? 'text/event-stream' : 'application/json' });
      response(exchange, (bytes) => res.write(bytes));
      res.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = new Anthropic({ authToken: 'sk', apiKey: null, baseURL: `http://127.0.0.1:${port}`, maxRetries: 0 });
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const streaming =
  (...chunks: EngineObject[]): Handler =>
  (exchange, write) => {
    write(messagesKeepAlive);
    for (const one of chunks) write(exchange.events([one]) ?? Buffer.alloc(0));
    write(exchange.lastEvents());
  };
const whole =
  (message: object, finish: string): Handler =>
  (exchange, write) => {
    const usage = { prompt_tokens: 9, completion_tokens: 2 };
    write(exchange.whole({ choices: [{ index: 0, message, finish_reason: finish }], usage }));
  };
const usage: EngineObject = { choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } };
const requesting: Anthropic.MessageCreateParamsNonStreaming = {
  model: 'public',
  max_tokens: 16,
  messages: [{ role: 'user', content: 'hi' }],
};
const tools: Anthropic.Tool[] = [{ name: 'f', input_schema: { type: 'object', properties: {} } }];

describe('the official client, streaming', () => {
  it('reads text and usage', async () => {
    response = streaming(
      chunk({ role: 'assistant' }),
      chunk({ content: 'Hel' }),
      chunk({ content: 'lo' }, 'stop'),
      usage,
    );
    const stream = client.messages.stream(requesting);
    const heard: string[] = [];
    stream.on('text', (text) => heard.push(text));
    const message = await stream.finalMessage();
    expect(heard).toEqual(['Hel', 'lo']);
    expect(message).toMatchObject({
      model: 'public',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Hello' }],
      usage: { input_tokens: 9, output_tokens: 2 },
    });
  });

  it('reads thinking, with a signature that can be sent back', async () => {
    response = streaming(chunk({ reasoning: 'hm' }), chunk({ reasoning: '!' }), chunk({ content: 'a' }, 'stop'));
    const first = await client.messages.stream(requesting).finalMessage();
    expect(first.content).toMatchObject([{ type: 'thinking', thinking: 'hm!', signature: 'cmVsYXk=' }, { text: 'a' }]);
    response = streaming(chunk({ content: 'b' }, 'stop'));
    await client.messages
      .stream({
        ...requesting,
        messages: [...requesting.messages, { role: 'assistant', content: first.content }, ...requesting.messages],
      })
      .finalMessage();
    expect((asked[1]?.['messages'] as unknown[])[1]).toEqual({
      role: 'assistant',
      content: 'a',
      reasoning_content: 'hm!',
      reasoning: 'hm!',
    });
  });

  it('reads parallel calls whose arguments interleave', async () => {
    response = streaming(
      chunk({ content: 'Let me see.' }),
      calls(call(0, 'c1', 'f', '{"a":'), call(1, 'c2', 'f', '{"b":')),
      calls(call(1, undefined, undefined, '"}"}'), call(0, undefined, undefined, '[1,2]}')),
      calls(call(2, '', 'f', '')),
      chunk({}, 'stop'),
      usage,
    );
    const message = await client.messages.stream({ ...requesting, tools }).finalMessage();
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content).toMatchObject([
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', id: 'c1', name: 'f', input: { a: [1, 2] } },
      { type: 'tool_use', id: 'c2', name: 'f', input: { b: '}' } },
      { type: 'tool_use', id: expect.stringMatching(/^toolu_/), name: 'f', input: {} },
    ]);
  });

  it('reads an answer without content', async () => {
    response = streaming(chunk({}, 'length'), usage);
    expect(await client.messages.stream(requesting).finalMessage()).toMatchObject({
      content: [],
      stop_reason: 'max_tokens',
    });
  });

  it('reads the events one by one', async () => {
    response = streaming(chunk({ content: 'a' }, 'stop'), usage);
    const types: string[] = [];
    for await (const event of await client.messages.create({ ...requesting, stream: true })) types.push(event.type);
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('raises when the stream ends in an error', async () => {
    response = (exchange, write) => {
      write(exchange.events([chunk({ content: 'a' })]) ?? Buffer.alloc(0));
      write(messagesErrorFrame(new FerryError('node_disconnected', 'The serving computer disconnected.'), 'req_1'));
    };
    await expect(client.messages.stream(requesting).finalMessage()).rejects.toThrow(
      'The serving computer disconnected.',
    );
  });

  it('raises when the stream is truncated', async () => {
    response = (exchange, write) => {
      write(exchange.events([chunk({ content: 'a' })]) ?? Buffer.alloc(0));
    };
    await expect(client.messages.stream(requesting).finalMessage()).rejects.toThrow();
  });
});

describe('the official client, all at once', () => {
  it('reads text', async () => {
    response = whole({ content: 'Hello' }, 'stop');
    expect(await client.messages.create(requesting)).toMatchObject({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hello' }],
      usage: { input_tokens: 9, output_tokens: 2 },
    });
  });

  it('completes a tool call round trip', async () => {
    response = whole({ content: null, tool_calls: [call(0, 'c1', 'f', '{"a":1}')] }, 'stop');
    const first = await client.messages.create({ ...requesting, tools });
    expect(first).toMatchObject({ stop_reason: 'tool_use', content: [{ id: 'c1', name: 'f', input: { a: 1 } }] });
    response = whole({ content: 'It is 2.', reasoning_content: 'hm' }, 'stop');
    const second = await client.messages.create({
      ...requesting,
      tools,
      messages: [
        ...requesting.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '2' }] },
      ],
    });
    expect(second.content).toMatchObject([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'It is 2.' },
    ]);
    expect(asked[1]).toMatchObject({
      tools: [{ type: 'function', function: { name: 'f' } }],
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }] },
        { role: 'tool', tool_call_id: 'c1', content: '2' },
      ],
    });
  });
});
