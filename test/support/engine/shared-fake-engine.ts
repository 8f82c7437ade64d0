/** A fake engine on a node of its own, on an account of the shared relay, for specs that play engine answers through every route. */
import { afterAll, beforeAll } from '@jest/globals';
import { shareRelay } from '../process/shared-deployment.js';
import type { Tenant } from '../process/tenant.js';
import { TestNode } from '../process/test-node.js';
import { FakeEngine, type FakeCall } from './fake-engine.js';

/** @param use called with both before the first test */
export function shareFakeEngine(use: (relay: Tenant, engine: FakeEngine) => unknown): void {
  let relay: Tenant;
  const started: { stop(): Promise<void> }[] = [];

  shareRelay((tenant) => {
    relay = tenant;
  });

  beforeAll(async () => {
    const engine = await FakeEngine.start();
    started.unshift(engine);
    const entry = {
      kind: 'openai-compatible',
      base_url: engine.url,
      slots: 8,
      routes: ['chat', 'completions'],
    } as const;
    started.unshift(await TestNode.start(relay, { engines: [entry] }));
    await use(relay, engine);
  }, 60_000);

  afterAll(async () => {
    for (const part of started) await part.stop();
  }, 60_000);
}

type Json = Record<string, unknown>;

/** One thing that an engine says, on any route: the text route has no deltas. */
export interface Reported {
  readonly text?: string;
  readonly delta?: unknown;
  readonly finish?: unknown;
  /** Beside the choices. */
  readonly more?: Json;
  /** In the choice. */
  readonly choice?: Json;
}

/** Chunks of a fake engine, in the form of the route that was asked. */
export function chunkOf(call: FakeCall, { text, delta, finish = null, more, choice }: Reported): Json {
  const isText = call.url.endsWith('/completions') && !call.url.endsWith('/chat/completions');
  const reported = isText ? { text: text ?? '' } : { delta: delta ?? (text === undefined ? {} : { content: text }) };
  return {
    id: 'answer-1',
    object: isText ? 'text_completion' : 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'fake',
    choices: [{ index: 0, ...reported, finish_reason: finish, ...choice }],
    ...more,
  };
}

/** A stream of what is said; without `[DONE]`. A text is written as it is. */
export const streams =
  (...parts: readonly (Reported | string)[]) =>
  (call: FakeCall): void => {
    call.startStream();
    for (const part of parts)
      call.write(typeof part === 'string' ? part : `data: ${JSON.stringify(chunkOf(call, part))}\n\n`);
    call.end();
  };

export const DONE = 'data: [DONE]\n\n';
export const USAGE = { usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } } as const;

/** A whole response with this choice, on either route. */
export function wholeOf(call: FakeCall, text: string, choice: Json = {}, more: Json = {}): Json {
  const isText = call.url.endsWith('/completions') && !call.url.endsWith('/chat/completions');
  return {
    id: 'answer-1',
    object: isText ? 'text_completion' : 'chat.completion',
    created: 1_700_000_000,
    model: 'fake',
    choices: [
      {
        index: 0,
        ...(isText ? { text } : { message: { role: 'assistant', content: text } }),
        finish_reason: 'stop',
        ...choice,
      },
    ],
    ...more,
  };
}
