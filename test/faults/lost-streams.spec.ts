/**
 * A stream whose node is lost never looks complete to the official clients, wherever it was cut: after each event of a complete response,
 * from before the first one to between the finish reason and the end.
 */
import Anthropic from '@anthropic-ai/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

/** A recorded stream, one event per item; its `[DONE]` is never sent. */
const chunk = (delta: object, finishReason: string | null = null): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'fake',
  choices: [{ index: 0, delta, finish_reason: finishReason }],
});
const recorded: readonly object[] = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Once ' }),
  chunk({ content: 'upon a ' }),
  chunk({ content: 'time.' }),
  chunk({}, 'stop'),
  { ...chunk({}), choices: [], usage: { prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 } },
];
/** The same for the completions route, whose chunks have their text in another field. */
const asCompletion = (event: object): object => {
  const { choices } = event as { choices: { delta: { content?: string }; finish_reason: string | null }[] };
  const plain = choices.map(({ delta, finish_reason }) => ({ index: 0, text: delta.content ?? '', finish_reason }));
  return { ...event, object: 'text_completion', choices: plain };
};

const cuts = Array.from({ length: recorded.length + 1 }, (_unused, events) => {
  const next =
    recorded[events] === undefined ? 'before the [DONE]' : `before event ${events + 1} of ${recorded.length}`;
  return [events === 0 ? 'before the first byte' : next, events] as const;
});
/** Time for sent events to reach the clients. */
const SETTLED_MS = 150;
const question = [{ role: 'user' as const, content: 'hi' }];

describe('a stream whose node is killed', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let node: TestNode;

  beforeAll(async () => {
    relay = await TestRelay.start({ env: { FERRY_LINK_UPGRADES_PER_MINUTE: '1000' } });
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 8, routes: ['chat', 'completions'] }],
    });
  }, 60_000);

  afterAll(async () => {
    node.process.child.kill('SIGKILL');
    await node.stop();
    await engine.stop();
    await relay.stop();
  }, 30_000);

  /** Each reads to the end as its documentation describes, and returns what it accepted as a complete response. */
  const readers = (): Readonly<Record<string, () => Promise<unknown>>> => {
    const openai = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
    const anthropic = new Anthropic({ authToken: relay.apiKey, apiKey: null, baseURL: relay.baseUrl, maxRetries: 0 });
    const drained = async (stream: AsyncIterable<unknown>): Promise<unknown[]> => {
      const events: unknown[] = [];
      for await (const event of stream) events.push(event);
      return events;
    };
    const usage = { stream_options: { include_usage: true } };
    return {
      'chat, event by event': async () =>
        drained(await openai.chat.completions.create({ model: 'fake', messages: question, stream: true, ...usage })),
      'chat, gathered': () =>
        openai.chat.completions.stream({ model: 'fake', messages: question, ...usage }).finalChatCompletion(),
      completions: async () => drained(await openai.completions.create({ model: 'fake', prompt: 'hi', stream: true })),
      'responses, gathered': () => openai.responses.stream({ model: 'fake', input: 'hi' }).finalResponse(),
      'messages, event by event': async () =>
        drained(await anthropic.messages.create({ model: 'fake', max_tokens: 50, messages: question, stream: true })),
      'messages, gathered': () =>
        anthropic.messages.stream({ model: 'fake', max_tokens: 50, messages: question }).finalMessage(),
    };
  };

  it.each(cuts)(
    '%s makes every official client raise',
    async (_name, events) => {
      let received = 0;
      engine.respond = (call: FakeCall) => {
        if (events > 0) call.startStream();
        for (const event of recorded.slice(0, events))
          call.event(call.url.includes('chat') ? event : asCompletion(event));
        received += 1;
      };
      const asked = Object.entries(readers()).map(([name, read]) =>
        read().then(
          () => `${name}: took it for a whole answer`,
          (error: unknown) => (error instanceof Error ? `${name}: raised` : `${name}: ${String(error)}`),
        ),
      );
      await eventually('all have it', () => received === asked.length);
      await delay(SETTLED_MS);
      node.process.child.kill('SIGKILL');
      const names = Object.keys(readers());
      expect(await Promise.all(asked)).toEqual(names.map((name) => `${name}: raised`));
      await eventually('the relay noticed', async () => !(await node.status()).online);
      await node.run();
    },
    60_000,
  );

  it('a stream whose node is killed is complete for the same clients without a fault', async () => {
    engine.respond = (call: FakeCall) => {
      call.startStream();
      for (const event of recorded) call.event(call.url.includes('chat') ? event : asCompletion(event));
      call.event('[DONE]');
      call.end();
    };
    for (const read of Object.values(readers())) expect(JSON.stringify(await read())).toContain('time.');
  });
});
