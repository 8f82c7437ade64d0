// Own relay: its settings end an idle stream soon.
/**
 * Whatever an engine does, the official client either receives the full response or raises
 * (docs/reference/stream-transport.md#misbehaving-engines). Each misbehaviour runs through every dialect, because each has its own
 * translation.
 */
import { setTimeout as delay } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import type { FakeEngine } from '../support/engine/fake-engine.js';
import {
  chunkText,
  done,
  event,
  full,
  raises,
  role,
  sends,
  stop,
  TEXT,
  whole,
  words,
  type Script,
} from '../support/engine/misbehaviours.js';
import { deploy } from '../support/process/deploy.js';
import type { TestRelay } from '../support/process/test-relay.js';

type Settled = PromiseSettledResult<string | null>;

/** Longer than this computer needs for an event of five megabytes. */
const IDLE_TIMEOUT_MS = 2_000;

describe('an engine that misbehaves', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let openai: OpenAI;
  let anthropic: Anthropic;

  deploy(
    {
      relay: { env: { FERRY_EVENT_IDLE_TIMEOUT_MS: String(IDLE_TIMEOUT_MS), FERRY_STREAM_HEARTBEAT_MS: '500' } },
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
      engine.respond = script;
      expect(await read()).toBe(TEXT);
    });

    it.each(raises)('raises on %s', async (_name, script) => {
      engine.respond = script;
      await expect(read()).rejects.toThrow();
    });

    it('transports a line of five megabytes', async () => {
      const long = 'x'.repeat(5_000_000);
      engine.respond = sends(role + event(chunkText({ content: long })) + stop + done);
      expect(await read()).toBe(long);
    });
  });

  describe('that is silent for longer than the idle timeout', () => {
    let inPrefill: readonly Settled[];
    let inTheMiddle: readonly Settled[];
    let withHeartbeats: readonly Settled[];

    /** Through every dialect at the same time: each waits for the same seconds. */
    const readAll = (script: Script): Promise<readonly Settled[]> => {
      engine.respond = script;
      return Promise.allSettled(readers.map(([, read]) => read()));
    };

    beforeAll(async () => {
      inPrefill = await readAll(async (call) => {
        call.startStream();
        await delay(IDLE_TIMEOUT_MS + 500);
        call.end(whole);
      });
      inTheMiddle = await readAll((call) => {
        call.startStream();
        call.write(role + words);
      });
      withHeartbeats = await readAll(async (call) => {
        call.startStream();
        call.write(role + words);
        for (let silentMs = 0; silentMs <= IDLE_TIMEOUT_MS + 500; silentMs += 250) {
          await delay(250);
          call.write(silentMs % 500 === 0 ? 'data: ping\n\n' : ': ping\n\n');
        }
        call.end(stop + done);
      });
    }, 60_000);

    it.each(readers.map(([dialect], index) => [dialect, index] as const))(
      'is tolerated in prefill and times out in the middle, through %s',
      (_dialect, index) => {
        expect(inPrefill[index]).toEqual({ status: 'fulfilled', value: TEXT });
        expect(inTheMiddle[index]).toMatchObject({ status: 'rejected' });
      },
    );

    it.each(readers.map(([dialect], index) => [dialect, index] as const))(
      'but sends heartbeats is alive, through %s',
      (_dialect, index) => {
        expect(withHeartbeats[index]).toEqual({ status: 'fulfilled', value: TEXT });
      },
    );
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
        engine.respond = sends(role + text + finishText);
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
      engine.respond = sends(
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
      engine.respond = (call) => call.completion('seen');
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
