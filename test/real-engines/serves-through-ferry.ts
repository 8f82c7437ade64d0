/**
 * The suite of real engines: each case asks the engine itself and asks through Ferry, and lists the differences. What an engine cannot do is
 * in its table, with what Ferry does instead, which is looked at in the same case.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cutTextOf } from '../support/client/event-stream.js';
import { eventually } from '../support/clock/eventually.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { differences } from './responses.js';
import { RealDeployment } from './deployment.js';
import { bodyOf, counting, hello, image, routes, story, thinking, weather } from './questions.js';
import type { Ability, Instead, RealEngine } from './real-engine.js';

const START_MS = 180_000;
const AT_ONCE = 64;
/** Over this time a quiet engine is looked at. */
const QUIET_MS = 300;
/** Share of a core below which an engine does nothing. */
const QUIET_SHARE = 0.2;

export function servesThroughFerry(engine: RealEngine): void {
  describe(`${engine.name}, directly and through Ferry`, () => {
    let relay: Tenant;
    let deployment: RealDeployment | undefined;
    shareRelay((shared) => (relay = shared));
    beforeAll(async () => {
      deployment = await RealDeployment.begin(relay, engine);
    }, engine.startMs ?? START_MS);
    afterAll(() => deployment?.end(), 60_000);

    const current = (): RealDeployment => {
      if (deployment === undefined) throw new Error('it has not begun');
      return deployment;
    };
    isWhatItIs(engine, current);
    respondAlike(engine, current);
    refusesAlike(engine, current);
    isOperated(engine, current);
    engine.also?.(current);
    isLost(engine, current);
  });
}

type Current = () => RealDeployment;

/** The entry of the table, for a case that is about it. */
const instead = (engine: RealEngine, ability: Ability): Instead | undefined => engine.lacks[ability];

/** What Ferry does about a request for something that the engine lacks. */
async function expectInstead(response: Response, missing: Instead): Promise<void> {
  const text = await response.text();
  if ('refused' in missing) {
    expect({ status: response.status, text }).toMatchObject({ status: missing.refused.status });
    expect(text).toContain(missing.refused.code);
    return;
  }
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  if ('dropped' in missing) expect(response.headers.get('x-ferry-translation')).toContain(missing.dropped);
  else expect(response.headers.get('x-ferry-translation')).toBe('native');
}

function isWhatItIs({ kind }: RealEngine, current: Current): void {
  it('is found by itself, as what it is', async () => {
    // The node may report its models before its engine, and that before it knows what it is.
    await eventually('its engine is known', async () => {
      const [engine] = (await current().record()).engines;
      return engine !== undefined && (kind === null || engine.kind === kind);
    });
    expect((await current().record()).engines).toHaveLength(1);
  });

  it('has as loaded what it says is in memory, and nothing else', async () => {
    const { running } = current();
    const { models } = await current().record();
    const loaded = models.filter(({ state }) => state === 'loaded').map(({ name }) => name);
    expect(loaded.toSorted()).toEqual((await running.loaded()).toSorted());
    expect(loaded).toContain(running.resident);
    if (running.installed !== undefined) expect(loaded).not.toContain(running.installed);
  });
}

function respondAlike(engine: RealEngine, current: Current): void {
  const same = async (route: (typeof routes)[number], question: typeof hello, allowed = {}): Promise<void> => {
    const [own, through] = [await current().ownAnswer(route, question), await current().respond(route, question)];
    expect(own).not.toMatchObject({ text: '', reasoning: '', calls: [] });
    expect(differences(own, through)).toEqual(allowed);
  };

  describe.each(routes)('%s', (route) => {
    const missing = route === 'completions' ? instead(engine, 'completions') : undefined;
    it.each([false, true])('answers as the engine itself (stream: %s)', async (stream) => {
      if (missing === undefined) {
        await same(route, { ...hello, stream }, engine.differences?.[route === 'completions' ? route : 'chat']);
      } else await expectInstead(await current().ask(route, bodyOf(route, { ...hello, stream })), missing);
    });

    it.each([false, true])('is as long as it may be (stream: %s)', async (stream) => {
      if (missing !== undefined) return;
      const through = await current().respond(route, { ...counting, stream });
      expect(through).toMatchObject({ finish: 'length', completionTokens: counting.maxTokens });
    });

    if (route === 'completions') return;
    it.each([false, true])('calls a tool as the engine itself (stream: %s)', async (stream) => {
      const without = instead(engine, 'tools');
      const question = { ...weather, stream };
      if (without !== undefined) await expectInstead(await current().ask(route, bodyOf(route, question)), without);
      else await same(route, question, engine.differences?.tools);
    });

    it.each([false, true])('reasons as the engine itself (stream: %s)', async (stream) => {
      const { reasoning } = await current().respond(route, { ...thinking, stream });
      if (instead(engine, 'reasoning') === undefined) expect(reasoning).not.toBe('');
      await same(route, { ...thinking, stream }, engine.differences?.reasoning);
    });
  });

  it('keeps to a JSON schema, or says that it does not', async () => {
    const schema = { type: 'object', properties: { city: { enum: ['Paris', 'Oslo'] } }, required: ['city'] };
    const format = { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } };
    const body = { ...bodyOf('chat', { prompt: 'Name a city.', maxTokens: 64 }), response_format: format };
    const missing = instead(engine, 'schema');
    const response = await current().ask('chat', body);
    if (missing !== undefined) {
      await expectInstead(response, missing);
      return;
    }
    const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
    expect(JSON.parse(choices[0].message.content)).toHaveProperty('city');
  });

  it('calls a tool that is required, or says that it need not', async () => {
    const body = { ...bodyOf('chat', { ...weather, prompt: 'Hello' }), tool_choice: 'required' };
    const missing = instead(engine, 'requiredTool') ?? instead(engine, 'tools');
    const response = await current().ask('chat', body);
    if (missing !== undefined) await expectInstead(response, missing);
    else expect(await response.json()).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
  });

  it(`answers ${AT_ONCE} requests at once`, async () => {
    const all = await Promise.all(Array.from({ length: AT_ONCE }, () => current().respond('chat', hello)));
    const own = await current().ownAnswer('chat', hello);
    expect(new Set(all.map(({ finish, promptTokens }) => `${finish} ${String(promptTokens)}`))).toEqual(
      new Set([`${own.finish} ${String(own.promptTokens)}`]),
    );
    expect(all.filter(({ text, reasoning }) => text + reasoning === '')).toEqual([]);
  }, 120_000);
}

function refusesAlike(engine: RealEngine, current: Current): void {
  it('refuses an image that the model cannot see, and stays healthy', async () => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: image } },
    ];
    const body = { messages: [{ role: 'user', content }], max_tokens: 8 };
    const missing = instead(engine, 'imageRefusal');
    if (missing !== undefined) {
      await expectInstead(await current().ask('chat', body), missing);
      return;
    }
    for (let round = 0; round < 3; round += 1) {
      const response = await current().ask('chat', body);
      expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 400 });
    }
    expect(await current().residentWhen(() => true)).toMatchObject({ state: 'loaded', health: 'healthy' });
    expect((await current().ask('chat', bodyOf('chat', hello))).status).toBe(200);
  });

  it.each([false, true])('refuses a prompt that is too long (stream: %s)', async (stream) => {
    const { context_length: limit } = await current().residentWhen(({ state }) => state === 'loaded');
    const missing = instead(engine, 'contextLimit');
    if (missing !== undefined) {
      expect(limit).toBeNull();
      return;
    }
    const words = Math.ceil((limit ?? 0) * 1.5);
    expect(words).toBeGreaterThan(0);
    const response = await current().ask(
      'chat',
      bodyOf('chat', { prompt: 'word '.repeat(words), maxTokens: 8, stream }),
    );
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('context_length_exceeded');
    expect(await current().residentWhen(() => true)).toMatchObject({ health: 'healthy' });
  });

  it('stops the engine when the client leaves', async () => {
    const { program } = current().running;
    const leaving = new AbortController();
    const response = await current().ask('chat', story(engine.longAnswer), { signal: leaving.signal });
    expect(response.status).toBe(200);
    await response.body?.getReader().read();
    leaving.abort();
    if (program !== undefined) {
      await eventually('the engine does nothing', async () => {
        const before = program.cpuSeconds();
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
        return (program.cpuSeconds() - before) / (QUIET_MS / 1_000) < QUIET_SHARE;
      });
    }
    expect((await current().respond('chat', hello)).finish).toBe('stop');
  });
}

function isOperated(engine: RealEngine, current: Current): void {
  const missing = instead(engine, 'unload');
  const notLoaded = async (): Promise<void> => {
    const response = await current().ask('chat', bodyOf('chat', hello));
    expect([response.status, response.headers.get('x-ferry-reason')]).toEqual([503, 'model_not_loaded']);
    expect(await current().running.loaded()).not.toContain(current().running.resident);
  };

  it('unloads under load and loads again, or says that it cannot', async () => {
    const { resident } = current().running;
    if (missing !== undefined) {
      if ('operation' in missing) expect(missing).toEqual({ operation: await current().operate('unload') });
      expect((await current().residentWhen(() => true)).state).toBe('loaded');
      return;
    }
    const response = await current().ask('chat', story(engine.longAnswer, 500));
    const reading = response.text();
    expect(await current().operate('unload')).toBe('succeeded');
    // What ran has ended by itself, or was told that it was broken off.
    expect(await reading.catch(() => 'error')).toMatch(/\[DONE\]|error/);
    await notLoaded();
    expect(await current().operate('load')).toBe('succeeded');
    expect((await current().respond('chat', hello)).finish).toBe('stop');
    expect(await current().running.loaded()).toContain(resident);
  }, 120_000);

  it('notices what the engine takes out of memory by itself, and does not bring it back', async () => {
    const { evict, bringBack } = current().running;
    if (evict === undefined) {
      expect(missing).toBeDefined();
      return;
    }
    await evict();
    await current().residentWhen(({ state }) => state !== 'loaded');
    await notLoaded();
    await bringBack?.();
    await current().residentWhen(({ state }) => state === 'loaded');
  }, 120_000);
}

/** Last: nothing is left of it. */
function isLost(engine: RealEngine, current: Current): void {
  it(
    'ends a stream with an error when the engine is killed, and serves again after a restart',
    async () => {
      const { program, bringBack } = current().running;
      if (program === undefined) {
        expect(instead(engine, 'restart')).toBeDefined();
        return;
      }
      const response = await current().ask('chat', story(engine.longAnswer));
      // Broken off, as every stream of an engine that fails.
      const cut = cutTextOf(response);
      await program.kill();
      expect(await cut).toContain('"error"');
      await current().residentWhen(({ state, reason }) => state !== 'loaded' && reason === 'engine_unreachable');
      const refused = await current().ask('chat', bodyOf('chat', hello));
      expect([refused.status, refused.headers.get('x-ferry-reason')]).toEqual([503, 'engine_unreachable']);
      await program.restart();
      await bringBack?.();
      await current().residentWhen(({ state }) => state === 'loaded');
      expect((await current().respond('chat', hello)).finish).toBe('stop');
    },
    engine.startMs ?? START_MS,
  );
}
