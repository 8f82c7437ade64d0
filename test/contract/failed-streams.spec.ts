/**
 * A stream on chat or completions that fails midway has no end: no client takes the half for the whole, and each still gets the words of the
 * failure (docs/reference/stream-transport.md#errors-inside-a-stream).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HumanMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled } from '@openai/agents';
import { streamText, type LanguageModel } from 'ai';
import OpenAI from 'openai';
import { cutMidway } from '../support/client/client-node.js';
import { cutTextOf } from '../support/client/event-stream.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

const WORDS = 'the graphics card has run out of memory';
const messages = [{ role: 'user' as const, content: 'hi' }];
/** Between two events: a client that does so much with each. */
const SLOW_READER_MS = 300;

describe('a stream that fails midway', () => {
  let relay: Tenant;
  let engine: FakeEngine;
  let node: TestNode;
  let openai: OpenAI;
  let settings: { readonly apiKey: string; readonly baseURL: string };

  setTracingDisabled(true);
  shareRelay((shared) => (relay = shared));

  beforeAll(async () => {
    engine = await FakeEngine.start();
    engine.respond = cutMidway(WORDS);
    node = await TestNode.start(relay, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 8, routes: ['chat', 'completions'] }],
    });
    settings = { apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1` };
    openai = new OpenAI({ ...settings, maxRetries: 0 });
  }, 120_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
  }, 30_000);

  const chat = (): ChatOpenAI =>
    new ChatOpenAI({
      model: 'fake',
      apiKey: settings.apiKey,
      maxRetries: 0,
      streaming: true,
      configuration: { baseURL: settings.baseURL },
    });

  async function read(stream: AsyncIterable<unknown>, pauseMs = 0): Promise<void> {
    for await (const part of stream) if (part !== undefined && pauseMs > 0) await delay(pauseMs);
  }

  const clients: readonly [string, () => Promise<unknown>][] = [
    ['openai', async () => read(await openai.chat.completions.create({ model: 'fake', messages, stream: true }))],
    [
      'openai, read slowly',
      async () => read(await openai.chat.completions.create({ model: 'fake', messages, stream: true }), SLOW_READER_MS),
    ],
    ['openai’s helper', () => openai.chat.completions.stream({ model: 'fake', messages }).finalChatCompletion()],
    [
      'openai on completions',
      async () => read(await openai.completions.create({ model: 'fake', prompt: 'hi', stream: true })),
    ],
    ['LangChain', async () => read(await chat().stream('hi'))],
    ['LangChain, collecting', () => chat().invoke('hi')],
    [
      'LangGraph',
      () =>
        new StateGraph(MessagesAnnotation)
          .addNode('model', async (state) => ({ messages: [await chat().invoke(state.messages)] }))
          .addEdge(START, 'model')
          .addEdge('model', END)
          .compile()
          .invoke({ messages: [new HumanMessage('hi')] }),
    ],
    [
      'the OpenAI Agents SDK',
      async () => {
        const model = new OpenAIChatCompletionsModel(openai, 'fake');
        const result = await new Runner({ tracingDisabled: true }).run(new Agent({ name: 'a', model }), 'hi', {
          stream: true,
        });
        await read(result);
        await result.completed;
      },
    ],
  ];

  it.each(clients)('a stream that fails midway is an error with its words for %s', async (_name, use) => {
    await expect(use()).rejects.toThrow(WORDS);
  });

  const models: readonly [string, () => LanguageModel][] = [
    ['openai', () => createOpenAI(settings).chat('fake')],
    ['openai-compatible', () => createOpenAICompatible({ ...settings, name: 'ferry' })('fake')],
  ];

  it.each(models)(
    'a stream that fails midway is an error with its words for the AI SDK through %s, before it throws',
    async (_name, model) => {
      const errors: unknown[] = [];
      const heard: unknown[] = [];
      let text = '';
      const result = streamText({
        model: model(),
        messages,
        maxRetries: 0,
        onError: ({ error }) => void heard.push(error),
      });
      await (async () => {
        for await (const part of result.fullStream) {
          if (part.type === 'text-delta') text += part.text;
          if (part.type === 'error') errors.push(part.error);
        }
      })().catch((error: unknown) => errors.push(error));
      expect(text).toBe('half an answer');
      expect(errors[0]).toMatchObject({ message: WORDS });
      expect(heard[0]).toMatchObject({ message: WORDS });
    },
  );

  it.each(['/v1/chat/completions', '/v1/completions'])(
    'a stream that fails midway is cut on %s, after the error event',
    async (route) => {
      const body = JSON.stringify({ model: 'fake', messages, prompt: 'hi', stream: true });
      const text = await cutTextOf(await relay.fetch(route, { method: 'POST', body }));
      expect(text.trimEnd().split('\n\n').at(-1)).toContain(WORDS);
      expect(text).not.toContain('[DONE]');
    },
  );
});
