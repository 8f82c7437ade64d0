/**
 * Whatever an engine does, the official client either receives the full response or raises
 * (docs/reference/stream-transport.md#misbehaving-engines). Each misbehaviour runs through every dialect, because each has its own
 * translation.
 */
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import type { FakeCall, FakeEngine } from '../support/engine/fake-engine.js';
import { deploy } from '../support/process/deploy.js';
import type { TestRelay } from '../support/process/test-relay.js';

const TEXT = 'Grüße, 世界 🌍!';

const chunkText = (delta: unknown, finish: string | null = null, extra: object = {}): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'fake',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...extra,
  });
const event = (json: string): string => `data: ${json}\n\n`;
const role = event(chunkText({ role: 'assistant', content: '' }));
const words = [...TEXT.matchAll(/\S+\s*/gu)].map(([word]) => event(chunkText({ content: word }))).join('');
const stop = event(chunkText({}, 'stop'));
const usage = event(
  JSON.stringify({
    object: 'chat.completion.chunk',
    choices: [],
    usage: { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 },
  }),
);
const done = 'data: [DONE]\n\n';
const whole = role + words + stop + usage + done;

const sends =
  (text: string) =>
  (call: FakeCall): void => {
    call.startStream();
    call.end(text);
  };
const inPieces =
  (text: string, size: number) =>
  async (call: FakeCall): Promise<void> => {
    call.startStream();
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) {
      call.write(bytes.subarray(at, at + size));
      if (at % (size * 16) === 0) await new Promise(setImmediate);
    }
    call.end();
  };
const breaksOffAfter =
  (text: string) =>
  (call: FakeCall): void => {
    call.startStream();
    call.write(text);
    setTimeout(() => call.destroy(), 20);
  };

type Script = (call: FakeCall) => void | Promise<void>;

const full: readonly [string, Script][] = [
  ['nothing unusual', sends(whole)],
  ['one byte at a time', inPieces(whole, 1)],
  ['three bytes at a time, inside characters and lines', inPieces(whole, 3)],
  ['CRLF line ends', sends(whole.replaceAll('\n', '\r\n'))],
  ['CRLF in single bytes', inPieces(whole.replaceAll('\n', '\r\n'), 1)],
  ['no space behind data:', sends(whole.replaceAll('data: ', 'data:'))],
  ['comments and other fields between', sends(whole.replaceAll('\n\n', '\n\n: ping\n\nid: 7\nretry: 10\n\n'))],
  ['[DONE] twice', sends(whole + done)],
  ['bytes behind [DONE]', sends(`${whole}data: {"oops"\n\n`)],
  ['no [DONE] after the finish reason', sends(role + words + stop)],
  ['no blank line at the very end', sends(whole.trimEnd())],
  ['no usage', sends(role + words + stop + done)],
  ['no role', sends(words + stop + done)],
  [
    'the role in every chunk',
    sends((role + words + stop + done).replaceAll('"delta":{"content"', '"delta":{"role":"assistant","content"')),
  ],
  ['null content first', sends(event(chunkText({ role: 'assistant', content: null })) + words + stop + done)],
  [
    'empty and null tool calls',
    sends(role + event(chunkText({ tool_calls: [] })) + event(chunkText({ tool_calls: null })) + words + stop + done),
  ],
  ['empty choices in between', sends(role + event(chunkText({}, null, { choices: [] })) + words + stop + done)],
  ['the finish reason beside the last text', sends(role + words + event(chunkText({ content: '' }, 'stop')) + done)],
  [
    'usage in every chunk',
    sends(
      whole.replaceAll(
        '"finish_reason":null}]',
        '"finish_reason":null}],"usage":{"prompt_tokens":4,"completion_tokens":1,"total_tokens":5}',
      ),
    ),
  ],
];

const raises: readonly [string, Script][] = [
  ['silence from the start', sends('')],
  ['silence after the role', sends(role)],
  ['silence in the middle', sends(role + words)],
  ['[DONE] without a finish reason', sends(role + words + done)],
  ['an empty chunk and the end (Ollama)', sends(role + event(chunkText({ content: '' })))],
  ['a reset before anything', (call) => call.destroy()],
  ['a reset between events', breaksOffAfter(role + words)],
  ['a reset inside an event', breaksOffAfter(role + words + 'data: {"choices":[{"del')],
  ['an error object', sends(role + words + event('{"error":{"message":"boom","type":"server_error"}}'))],
  ['an error text', sends(role + words + event('{"error":"boom"}'))],
  ['an error line (old llama.cpp)', sends(`${role + words}error: {"code":500,"message":"boom"}\n\n`)],
  ['an error event', sends(`${role + words}event: error\ndata: {"message":"boom"}\n\n`)],
  [
    'an error object of its own kind (old vLLM)',
    sends(role + words + event('{"object":"error","message":"boom","code":500}')),
  ],
  ['an error line without SSE', sends(`${role + words}{"error":"boom"}\n`)],
  ['an error and then [DONE] (vLLM)', sends(role + words + event('{"error":{"message":"boom"}}') + done)],
  ['broken JSON in the middle', sends(`${role + words}data: {"choices": [}\n\n${stop}${done}`)],
  [
    'NaN in the middle',
    sends(`${role + words}data: {"choices":[{"index":0,"delta":{"content":"x"},"logprobs":NaN}]}\n\n${stop}${done}`),
  ],
  ['HTML instead', (call) => call.respond(200, 'text/html', '<html>Bad gateway</html>')],
  ['an HTML 502', (call) => call.respond(502, 'text/html', '<html>Bad gateway</html>')],
  ['an error with status 200 (LM Studio)', (call) => call.json(200, { error: 'Unexpected endpoint or method' })],
  ['JSON of another kind with status 200', (call) => call.json(200, { hello: 'world' })],
  ['a redirect to somewhere else', (call) => call.redirect('http://169.254.169.254/latest')],
  ['a 401 of its own', (call) => call.json(401, { error: { message: 'no key' } })],
  [
    'a 400 when it is full',
    (call) => call.json(400, { error: { message: 'context size exceeded', type: 'exceed_context_size_error' } }),
  ],
  ['nothing but 204', (call) => call.respond(204, 'text/plain', '')],
];

describe('an engine that misbehaves', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let openai: OpenAI;
  let anthropic: Anthropic;

  deploy(
    {
      relay: { env: { FERRY_EVENT_IDLE_TIMEOUT_MS: '3000', FERRY_STREAM_HEARTBEAT_MS: '500' } },
      engine: { slots: 8, inputs: ['text', 'image', 'audio'] },
    },
    (started) => {
      ({ relay, engine } = started);
      openai = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
      anthropic = new Anthropic({ authToken: relay.apiKey, apiKey: null, baseURL: relay.baseUrl, maxRetries: 0 });
    },
  );

  const question = [{ role: 'user' as const, content: 'hi' }];
  /** The text that each official client reads from a stream; it raises when the stream is incomplete. */
  const readers: readonly [string, () => Promise<string | null>][] = [
    [
      'chat',
      async () =>
        (await openai.chat.completions.stream({ model: 'fake', messages: question }).finalChatCompletion()).choices[0]!
          .message.content,
    ],
    [
      'responses',
      async () => (await openai.responses.stream({ model: 'fake', input: 'hi' }).finalResponse()).output_text,
    ],
    [
      'messages',
      async () => {
        const message = await anthropic.messages
          .stream({ model: 'fake', max_tokens: 50, messages: question })
          .finalMessage();
        return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      },
    ],
  ];

  describe.each(readers)('through %s', (_dialect, read) => {
    it.each(full)('returns the full response despite %s', async (_name, script) => {
      engine.answer = script;
      expect(await read()).toBe(TEXT);
    });

    it.each(raises)('raises on %s', async (_name, script) => {
      engine.answer = script;
      await expect(read()).rejects.toThrow();
    });

    it('transports a line of five megabytes', async () => {
      const long = 'x'.repeat(5_000_000);
      engine.answer = sends(role + event(chunkText({ content: long })) + stop + done);
      expect(await read()).toBe(long);
    });

    it('tolerates silence in prefill, and times out on silence in the middle', async () => {
      engine.answer = async (call) => {
        call.startStream();
        await new Promise((resolve) => setTimeout(resolve, 4_000));
        call.end(whole);
      };
      expect(await read()).toBe(TEXT);
      engine.answer = (call) => {
        call.startStream();
        call.write(role + words);
      };
      await expect(read()).rejects.toThrow();
    });
  });

  describe('tool calls in every variant reach the client complete', () => {
    const call = (fields: object): string => event(chunkText({ tool_calls: [fields] }));
    const finish = event(chunkText({}, 'tool_calls')) + done;
    const named = (name: string, args: unknown, extra: object = {}): string =>
      call({ index: 0, id: 'call_1', type: 'function', function: { name, arguments: args }, ...extra });
    const spellings: readonly [string, string][] = [
      [
        'in fragments',
        named('get_weather', '') +
          call({ index: 0, function: { arguments: '{"city":' } }) +
          call({ index: 0, function: { arguments: '"Oslo"}' } }),
      ],
      ['in one chunk', named('get_weather', '{"city":"Oslo"}')],
      ['with arguments as an object', named('get_weather', { city: 'Oslo' })],
      [
        'without an index',
        call({ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }),
      ],
      ['with an empty id', named('get_weather', '{"city":"Oslo"}', { id: '' })],
      ['with id and name repeated', named('get_weather', '{"city":') + named('get_weather', '"Oslo"}')],
    ];
    const tools = [
      { name: 'get_weather', schema: { type: 'object' as const, properties: { city: { type: 'string' } } } },
    ];

    it.each(spellings)('%s', async (_name, text) => {
      for (const finishText of [finish, event(chunkText({}, 'stop')) + done]) {
        engine.answer = sends(role + text + finishText);
        const functions = tools.map(({ name, schema }) => ({
          type: 'function' as const,
          function: { name, parameters: schema },
        }));
        const chat = await openai.chat.completions
          .stream({ model: 'fake', messages: question, tools: functions })
          .finalChatCompletion();
        expect(chat.choices[0]!.finish_reason).toBe('tool_calls');
        expect(chat.choices[0]!.message.tool_calls).toMatchObject([{ function: { name: 'get_weather' } }]);

        const responses = await openai.responses
          .stream({
            model: 'fake',
            input: 'hi',
            tools: tools.map(({ name, schema }) => ({ type: 'function', name, parameters: schema, strict: false })),
          })
          .finalResponse();
        const item = responses.output.find(
          ({ type }) => type === 'function_call',
        ) as OpenAI.Responses.ResponseFunctionToolCall;
        expect(JSON.parse(item.arguments)).toEqual({ city: 'Oslo' });

        const message = await anthropic.messages
          .stream({
            model: 'fake',
            max_tokens: 50,
            messages: question,
            tools: tools.map(({ name, schema }) => ({ name, input_schema: schema })),
          })
          .finalMessage();
        expect(message.stop_reason).toBe('tool_use');
        expect(message.content.at(-1)).toMatchObject({
          type: 'tool_use',
          name: 'get_weather',
          input: { city: 'Oslo' },
        });
      }
    });

    it('two at once, interleaved', async () => {
      engine.answer = sends(
        role +
          call({ index: 0, id: 'a', type: 'function', function: { name: 'get_weather', arguments: '' } }) +
          call({ index: 1, id: 'b', type: 'function', function: { name: 'get_weather', arguments: '' } }) +
          call({ index: 0, function: { arguments: '{"city":' } }) +
          call({ index: 1, function: { arguments: '{"city":' } }) +
          call({ index: 1, function: { arguments: '"Paris"}' } }) +
          call({ index: 0, function: { arguments: '"Oslo"}' } }) +
          finish,
      );
      const declared = tools.map(({ name, schema }) => ({ name, input_schema: schema }));
      const message = await anthropic.messages
        .stream({ model: 'fake', max_tokens: 50, messages: question, tools: declared })
        .finalMessage();
      expect(message.content).toMatchObject([{ input: { city: 'Oslo' } }, { input: { city: 'Paris' } }]);
      const response = await openai.responses
        .stream({
          model: 'fake',
          input: 'hi',
          tools: [{ type: 'function', name: 'get_weather', parameters: tools[0]!.schema, strict: false }],
        })
        .finalResponse();
      const items = response.output as OpenAI.Responses.ResponseFunctionToolCall[];
      expect(items.map((item) => JSON.parse(item.arguments) as unknown)).toEqual([{ city: 'Oslo' }, { city: 'Paris' }]);
    });
  });

  describe('requests to the engine', () => {
    const pixel = 'data:image/png;base64,iVBORw0KGgo=';

    const received = async (send: () => Promise<unknown>): Promise<Record<string, unknown>> => {
      engine.answer = (call) => call.completion('seen');
      await send();
      return engine.calls.at(-1)!.body;
    };

    it("an image, in any dialect's format", async () => {
      const image = { type: 'image_url', image_url: { url: pixel } };
      const bodies = [
        await received(() =>
          openai.chat.completions.create({
            model: 'fake',
            messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: pixel } }] }],
          }),
        ),
        await received(() =>
          openai.responses.create({
            model: 'fake',
            input: [{ role: 'user', content: [{ type: 'input_image', image_url: pixel, detail: 'auto' }] }],
          }),
        ),
        await received(() =>
          anthropic.messages.create({
            model: 'fake',
            max_tokens: 5,
            messages: [
              {
                role: 'user',
                content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }],
              },
            ],
          }),
        ),
      ];
      for (const body of bodies) {
        const [message] = body['messages'] as { content: unknown[] }[];
        expect(message!.content).toMatchObject([image]);
      }
    });

    it('audio in chat', async () => {
      const audio = { type: 'input_audio' as const, input_audio: { data: 'UklGRg==', format: 'wav' as const } };
      const body = await received(() =>
        openai.chat.completions.create({ model: 'fake', messages: [{ role: 'user', content: [audio] }] }),
      );
      expect(body['messages']).toMatchObject([{ content: [audio] }]);
    });

    it('the results of parallel tool calls, each as a separate message', async () => {
      const body = await received(() =>
        anthropic.messages.create({
          model: 'fake',
          max_tokens: 5,
          messages: [
            { role: 'user', content: 'two cities' },
            {
              role: 'assistant',
              content: [
                { type: 'tool_use', id: 'a', name: 'get_weather', input: { city: 'Oslo' } },
                { type: 'tool_use', id: 'b', name: 'get_weather', input: { city: 'Paris' } },
              ],
            },
            {
              role: 'user',
              content: [
                { type: 'tool_result', tool_use_id: 'a', content: 'rain' },
                { type: 'tool_result', tool_use_id: 'b', content: 'sun' },
              ],
            },
          ],
        }),
      );
      expect(body['messages']).toMatchObject([
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'a' }, { id: 'b' }] },
        { role: 'tool', tool_call_id: 'a', content: 'rain' },
        { role: 'tool', tool_call_id: 'b', content: 'sun' },
      ]);
    });
  });
});
