// Own relay: its settings send keep-alives every 100 ms, and a node is killed.
/** What clients see of a response whose engine is silent for a long time, as on a slow computer with a long prompt. */
import { createOpenAI } from '@ai-sdk/openai';
import { afterEach, describe, expect, it } from '@jest/globals';
import { streamText } from 'ai';
import OpenAI from 'openai';
import { eventually } from '../support/clock/eventually.js';
import type { FakeCall, FakeEngine } from '../support/engine/fake-engine.js';
import type { TestNode } from '../support/process/test-node.js';
import { assertResponseStream } from '../support/client/openresponses-schema.js';
import { deploy } from '../support/process/deploy.js';
import type { TestRelay } from '../support/process/test-relay.js';

const KEEP_ALIVE_MS = 100;
/** Several keep-alives long, also where timers fire late. */
const SILENCE_MS = 900;

describe('a response whose engine is silent', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let node: TestNode;

  deploy(
    {
      relay: { env: { FERRY_STREAM_COMMIT_MS: '100', FERRY_STREAM_HEARTBEAT_MS: '100' } },
      engine: {},
      node: {
        env: {
          FERRY_NODE_RESPONSES_KEEP_ALIVE_AFTER_MS: String(KEEP_ALIVE_MS),
          FERRY_NODE_RESPONSES_KEEP_ALIVE_INTERVAL_MS: String(KEEP_ALIVE_MS),
        },
      },
    },
    (started) => {
      ({ relay, engine, node } = started);
    },
  );

  afterEach(() => {
    engine.respond = speakLate;
  });

  const speakLate = async (call: FakeCall): Promise<void> => {
    call.startStream();
    await new Promise((resolve) => setTimeout(resolve, SILENCE_MS));
    call.chunk({ role: 'assistant', content: 'At last.' });
    call.finish();
  };

  const ask = (): Promise<Response> =>
    relay.fetch('/v1/responses', {
      method: 'POST',
      body: JSON.stringify({ model: 'fake', input: 'hi', stream: true }),
    });

  it('repeats in_progress, valid and numbered without gaps', async () => {
    engine.respond = speakLate;
    const events = assertResponseStream(await (await ask()).text());
    const beginning = events.slice(
      0,
      events.findIndex(({ type }) => type === 'response.output_item.added'),
    );
    expect(beginning[0]?.type).toBe('response.created');
    expect(beginning.length).toBeGreaterThan(3);
    expect(new Set(beginning.slice(1).map(({ type }) => type))).toEqual(new Set(['response.in_progress']));
    expect(events.at(-1)?.type).toBe('response.completed');
  });

  it('a response whose engine is silent is complete for the official client, with its helper', async () => {
    engine.respond = speakLate;
    const client = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
    const stream = client.responses.stream({ model: 'fake', input: 'hi' });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect((await stream.finalResponse()).output_text).toBe('At last.');
    expect(types.filter((type) => type === 'response.created')).toHaveLength(1);
    expect(types.filter((type) => type === 'response.in_progress').length).toBeGreaterThan(2);
  });

  it('a response whose engine is silent is complete for the AI SDK', async () => {
    engine.respond = speakLate;
    const { textStream } = streamText({
      model: createOpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1` })('fake'),
      prompt: 'hi',
      maxRetries: 0,
      onError: ({ error }) => {
        throw error;
      },
    });
    let text = '';
    for await (const chunk of textStream) text += chunk;
    expect(text).toBe('At last.');
  });

  it('fails with continued numbers when its node is lost, and is not retried', async () => {
    engine.respond = () => undefined;
    const calls = engine.calls.length;
    const response = await ask();
    let text = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(bytes, { stream: true });
      if (text.split('event: response.in_progress').length > 3) node.process.child.kill('SIGKILL');
    }
    const events = assertResponseStream(text);
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', error: { code: 'node_disconnected' } },
      { type: 'response.failed', response: { id: (events[0]?.['response'] as { id: string }).id } },
    ]);
    expect(engine.calls).toHaveLength(calls + 1);
    await eventually('the node has ended', () => Promise.resolve(!node.process.running));
    await node.run();
  }, 60_000);
});
