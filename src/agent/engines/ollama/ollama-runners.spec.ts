import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpEngine } from '../../../../test/engines/create-http-engine.js';
import {
  ask,
  collect,
  greeting,
  listWhen,
  Progress,
  stateIn,
  story,
} from '../../../../test/engines/engine-questions.js';
import { FakeOllama, type OllamaOptions } from '../../../../test/engines/fakes/ollama.js';
import { eventually } from '../../../../test/support/clock/eventually.js';
import type { Engine } from '../engine.js';
import { ollamaKind } from './ollama-kind.js';

const MODEL = 'qwen3:latest';
const A_YEAR_MS = 365 * 86_400_000;
const FIVE_MINUTES_MS = 300_000;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function begin(
  options: Partial<OllamaOptions> = {},
  entry: object = {},
): Promise<{ ollama: FakeOllama; engine: Engine }> {
  const ollama = await FakeOllama.start({ models: [{ name: MODEL }], ...options });
  const engine = await createHttpEngine(ollamaKind, { base_url: ollama.url, poll_ms: 60_000, ...entry });
  cleanups.push(
    () => ollama.stop(),
    () => engine.stop(),
  );
  await engine.start();
  return { ollama, engine };
}
async function load(engine: Engine, model = MODEL, contextTokens?: number): Promise<Progress> {
  const progress = new Progress();
  if (engine.management.load === undefined) throw new Error('it cannot load');
  await engine.management.load(model, { contextTokens }, progress.context);
  return progress;
}
const hello = async (engine: Engine, model = MODEL, body: object = greeting) =>
  collect(await ask(engine, model, body, { stream: true }));
/** With the defaults of Ollama. */
const requestedByAnother = async (ollama: FakeOllama): Promise<void> => {
  const body = JSON.stringify({ model: MODEL, messages: greeting.messages, stream: false });
  expect((await fetch(`${ollama.url}/api/chat`, { method: 'POST', body })).status).toBe(200);
};

describe('a model that Ferry loads into Ollama', () => {
  it('a model that Ferry loads into Ollama is not loaded again by 100 requests, and stays for ever', async () => {
    const { ollama, engine } = await begin();
    await load(engine);
    for (let request = 0; request < 100; request += 1) await hello(engine);
    expect(ollama.loads).toEqual([{ model: MODEL, by: 'generate' }]);
    expect(ollama.expiresInMs(MODEL)).toBeGreaterThan(A_YEAR_MS);
  });

  it('keeps the configured time with every request', async () => {
    const { ollama, engine } = await begin({}, { keep_alive: '30m' });
    await load(engine);
    await hello(engine);
    expect(ollama.loads).toHaveLength(1);
    expect(ollama.expiresInMs(MODEL)).toBeGreaterThan(FIVE_MINUTES_MS);
  });

  it('a model that Ferry loads into Ollama is found without its tag', async () => {
    const { ollama, engine } = await begin();
    await load(engine, 'qwen3');
    expect(ollama.residentNames()).toEqual([MODEL]);
    await engine.management.unload?.('Qwen3', new Progress().context);
    expect(ollama.residentNames()).toEqual([]);
  });

  it('says so when it got less context than was asked for', async () => {
    const { engine } = await begin({ models: [{ name: MODEL, contextTokens: 8_192 }] });
    expect((await load(engine, MODEL, 16_384)).reports.at(-1)?.phase).toBe(
      'loaded with a context of 8192 tokens, not 16384',
    );
    expect((await load(engine, MODEL, 4_096)).reports.at(-1)?.phase).toBe('loading');
  });
});

describe('beside a program that uses the defaults of Ollama', () => {
  it('no request restarts the runner of that program, nor changes its expiry', async () => {
    const { ollama, engine } = await begin({ residentOfOthers: [MODEL] });
    for (let turn = 0; turn < 3; turn += 1) {
      await hello(engine);
      await requestedByAnother(ollama);
    }
    expect(ollama.loads).toEqual([]);
    expect(ollama.expiresInMs(MODEL)).toBeLessThanOrEqual(FIVE_MINUTES_MS);
    expect(ollama.inferences[0]).not.toHaveProperty('shift');
    expect(ollama.inferences[0]).toMatchObject({ truncate: false });
  });

  it.each([-1, '30m', '2m'])('a model that Ferry loaded for %j is loaded again once at most', async (keepAlive) => {
    const { ollama, engine } = await begin({}, { keep_alive: keepAlive });
    await load(engine);
    for (let turn = 0; turn < 4; turn += 1) {
      await requestedByAnother(ollama);
      await hello(engine);
    }
    expect(ollama.loads.filter(({ by }) => by === 'inference')).toHaveLength(1);
  });

  it('an answer that has lost the beginning of a full context ends with length', async () => {
    const { engine } = await begin({ residentOfOthers: [MODEL] });
    const content = 'word '.repeat(4_090);
    const response = await hello(engine, MODEL, { messages: [{ role: 'user', content }] });
    expect(response.finishReason).toBe('length');
    expect((await hello(engine)).finishReason).toBe('stop');
  });

  it('a restart of the runner is no eviction', async () => {
    const { ollama, engine } = await begin({ resident: [MODEL], restartMs: 150 }, { poll_ms: 100 });
    const states = new Set<string | undefined>();
    const watching = engine.models$.subscribe((models) => states.add(stateIn(models, MODEL)));
    const restarting = requestedByAnother(ollama);
    await eventually('the runner has gone', () => ollama.residentNames().length === 0);
    expect((await hello(engine)).finishReason).toBe('stop');
    await restarting;
    watching.unsubscribe();
    expect([...states]).toEqual(['loaded']);
  });
});

describe('models in Ollama', () => {
  it('models in Ollama are in memory under every name of the same weights', async () => {
    const blob = `sha256-${'ab'.repeat(32)}`;
    const models = [{ name: 'one:latest', blob }, { name: 'two:latest', blob }, { name: 'three:latest' }];
    const { ollama, engine } = await begin({ models, resident: ['one:latest'] });
    const list = await listWhen(engine, () => true);
    expect(list.map(({ state }) => state)).toEqual(['loaded', 'loaded', 'installed']);
    expect((await hello(engine, 'two:latest')).finishReason).toBe('stop');
    await engine.management.unload?.('two:latest', new Progress().context);
    expect(ollama.residentNames()).toEqual([]);
    expect(ollama.loads).toEqual([]);
  });

  it('call tools and think when their own template can, whatever the list says', async () => {
    const model = {
      name: MODEL,
      capabilities: ['tools', 'thinking', 'completion'],
      listedCapabilities: ['completion'],
    };
    const { engine } = await begin({ models: [model], resident: [MODEL] });
    expect(await listWhen(engine, () => true)).toMatchObject([{ tools: true, reasoning: true }]);
  });

  it('models in Ollama that think answer a completion with text', async () => {
    const model = { name: MODEL, capabilities: ['completion', 'thinking'] };
    const { engine } = await begin({ models: [model], resident: [MODEL] });
    const body = Buffer.from(JSON.stringify({ prompt: 'Once' }));
    const { signal } = new AbortController();
    const response = await engine.run({ route: 'completions', engineModel: MODEL, body, stream: false, signal });
    expect(response).toMatchObject({ object: { choices: [{ text: 'Hello! How can I help you today?' }] } });
  });

  it('models in Ollama get the words of a developer as those of the system when their template drops them', async () => {
    const { ollama, engine } = await begin({ resident: [MODEL] });
    await hello(engine, MODEL, { messages: [{ role: 'developer', content: 'Be brief.' }, ...greeting.messages] });
    expect(ollama.inferences[0]).toMatchObject({ messages: [{ role: 'system', content: 'Be brief.' }, {}] });
  });
});

describe('the slots of Ollama', () => {
  it('the slots of Ollama are one unless it is known that it runs more at once', async () => {
    const { ollama, engine } = await begin();
    expect(engine.slots).toBe(1);
    const env = { OLLAMA_NUM_PARALLEL: '3' };
    const parallel = await createHttpEngine(ollamaKind, { base_url: ollama.url }, { env });
    cleanups.push(() => parallel.stop());
    await parallel.start();
    expect(parallel.slots).toBe(3);
    expect((await begin({}, { slots: 5 })).engine.slots).toBe(5);
  });
});

describe('the slots of an Ollama that tells nobody how many it has', () => {
  const progressTimer = async (engine: Engine, leaving: AbortController) => {
    const response = await ask(engine, MODEL, story, { stream: true, signal: leaving.signal });
    return collect(response).catch(() => undefined);
  };

  it.each([
    [2, 'beside it, when it runs two', 2],
    [1, 'after it, when it runs one', 1],
  ])(
    'the slots of an Ollama that tells nobody how many it has are learned with OLLAMA_NUM_PARALLEL=%s from a second request that is answered %s',
    async (parallel, _how, slots) => {
      const { engine } = await begin({ resident: [MODEL], parallel });
      const leaving = new AbortController();
      const first = progressTimer(engine, leaving);
      await eventually('another one is let in', () => engine.slots === 2);
      const second = hello(engine);
      if (parallel === 2) expect((await second).finishReason).toBe('stop');
      else await delay(1_200);
      leaving.abort(new Error('enough'));
      await first;
      expect((await second).finishReason).toBe('stop');
      expect(engine.slots).toBe(slots);
    },
  );
});

describe('a runner that died', () => {
  it('a runner that died is not in memory although Ollama lists it, and no request starts it again', async () => {
    const { ollama, engine } = await begin({ resident: [MODEL] });
    ollama.killsRunner = true;
    await expect(hello(engine)).rejects.toMatchObject({ failure: { code: 'engine_error' } });
    await listWhen(engine, (models) => stateIn(models, MODEL) === 'installed');
    expect(ollama.residentNames()).toEqual([MODEL]);
    await expect(hello(engine)).rejects.toMatchObject({ failure: { code: 'engine_error', status: 503 } });
    expect(ollama.loads).toEqual([]);
    await load(engine);
    expect((await hello(engine)).finishReason).toBe('stop');
    expect(ollama.loads).toEqual([{ model: MODEL, by: 'generate' }]);
  });
});

describe('an Ollama that hangs', () => {
  it('ends its requests, and its models are not there', async () => {
    const { ollama, engine } = await begin({ resident: [MODEL] }, { poll_ms: 100 });
    ollama.hang();
    await expect(ask(engine, MODEL, greeting, { stream: true })).rejects.toMatchObject({
      failure: { code: 'engine_error', status: 503 },
    });
    expect(engine.condition).toEqual({ is: 'unreachable', problem: 'does not answer' });
  }, 30_000);
});
