/**
 * The requirements for every engine (docs/reference/engines.md#adapter-rules), run against fakes built from documented shapes, against
 * recordings, and against real programs.
 */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EngineManagement, OperationContext } from '../../src/agent/engines/engine-management.js';
import type { EngineSubject, EngineUnderTest, InstallExpectations } from './engine-under-test.js';
import {
  ask,
  failureOf,
  greeting,
  listWhen,
  modelsNow,
  Progress,
  stateIn,
  story,
  collect,
  weatherQuestion,
} from './engine-questions.js';
import { askThroughGate } from './gate.js';
import { batchesOf } from '../support/engine/response-batches.js';

const SHORT_POLL_MS = 100;
/** Long enough that polling cannot be the cause of anything observed earlier. */
const LONG_POLL_MS = 60_000;
/** The requirement is one second, and a bug exceeds it by far; the margin allows for a machine that is busy with other tests. */
const SENT_WITHIN_MS = 3_000;

export function behavesAsAnEngine(name: string, subject: EngineSubject): void {
  describe(`${name} behaves as an engine`, () => {
    let running: EngineUnderTest | undefined;
    const begin = async (pollMs: number): Promise<EngineUnderTest> => {
      running = await subject.begin({ pollMs });
      await running.engine.start();
      await listWhen(running.engine, (models) => stateIn(models, running?.resident ?? '') === 'loaded');
      return running;
    };
    afterEach(async () => {
      await running?.stop();
      running = undefined;
    });

    describe('listing and serving', () => {
      let under: EngineUnderTest;
      beforeEach(async () => {
        under = await begin(SHORT_POLL_MS);
      });

      it('lists its models, and distinguishes installed from loaded', async () => {
        const { engine, resident, installed } = under;
        expect(engine.kind).toBe(subject.kind);
        expect(engine.facts().name).toBe(engine.name);
        expect(engine.slots).toBeGreaterThan(0);
        const models = await modelsNow(engine);
        expect(stateIn(models, resident)).toBe('loaded');
        if (installed !== undefined) expect(stateIn(models, installed)).toBe('installed');
        for (const model of models) {
          expect(model.dialects.includes('chat')).toBe(!model.embedding);
          expect(model.inputs).toContain('text');
          expect(model.canonical_name).toBe(model.canonical_name.toLowerCase());
          // The path on the owner's disk must not leave the node.
          expect(model.display_name).not.toMatch(/^[\\/]|\.gguf$/);
        }
      });

      it('answers a chat with content, a finish reason and usage', async () => {
        const response = await collect(await ask(under.engine, under.resident, greeting, { stream: false }));
        expect(response.content).not.toBe('');
        expect(response.finishReason).toBe('stop');
        expect(response.usage).toMatchObject({ total_tokens: expect.any(Number) });
      });

      it('counts the tokens of a chat as its answer does, or says that it cannot', async () => {
        const { engine, resident } = under;
        const model = (await modelsNow(engine)).find(({ engine_model: name }) => name === resident);
        const counts = model?.extension_routes?.includes('count') === true;
        for (const question of [greeting, weatherQuestion]) {
          const body = Buffer.from(JSON.stringify({ model: 'public-name', ...question }));
          const { signal } = new AbortController();
          const counted = engine.run({ route: 'count', engineModel: resident, body, stream: false, signal });
          if (!counts) {
            await expect(counted).rejects.toMatchObject({ failure: { code: 'unsupported_capability', status: 501 } });
            continue;
          }
          const { usage } = await collect(await ask(engine, resident, question, { stream: false }));
          expect(await counted).toEqual({ kind: 'whole', object: { input_tokens: usage?.prompt_tokens } });
        }
      });

      it('streams a chat with the same result', async () => {
        const response = await collect(await ask(under.engine, under.resident, greeting, { stream: true }));
        expect(response.content).not.toBe('');
        expect(response.finishReason).toBe('stop');
        expect(response.usage).toMatchObject({ total_tokens: expect.any(Number) });
      });

      it.each([true, false])('never answers a truncated prompt (stream: %s)', async (stream) => {
        const { engine, resident } = under;
        const context = (await modelsNow(engine)).find(({ engine_model: name }) => name === resident)?.context_length;
        const words = Math.ceil((context ?? 1_000) * 1.5);
        const asked = { messages: [{ role: 'user', content: 'word '.repeat(words) }], max_tokens: 8 };
        const response = ask(engine, resident, asked, { stream }).then(collect);
        if (context == null) {
          // An engine that does not report its context length is trusted to refuse.
          expect((await response).finishReason).not.toBeNull();
          return;
        }
        await expect(response).rejects.toMatchObject({
          failure: { code: 'engine_rejected_request', status: 400, context_overflow: expect.any(Object) },
        });
      });

      it.each([true, false])('calls a tool with complete arguments (stream: %s)', async (stream) => {
        const response = await collect(await ask(under.engine, under.resident, weatherQuestion, { stream }));
        expect(response.finishReason).toBe('tool_calls');
        expect(response.calls.map((call) => call.function.name)).toEqual(['get_weather']);
        expect(JSON.parse(response.calls[0]?.function.arguments ?? '')).toHaveProperty('city');
      });

      it('stops within a second when the client leaves, with the abort reason', async () => {
        const leaving = new AbortController();
        const reason = new Error('the client has gone');
        const response = await ask(under.engine, under.resident, story, { stream: true, signal: leaving.signal });
        if (response.kind !== 'stream') throw new Error('not a stream');
        let leftAtMs: number | undefined;
        const reading = (async () => {
          for await (const batch of batchesOf(response.chunks)) {
            if (leftAtMs === undefined && batch.length > 0) {
              leftAtMs = performance.now();
              leaving.abort(reason);
            }
          }
        })();
        await expect(reading).rejects.toBe(reason);
        expect(performance.now() - (leftAtMs ?? 0)).toBeLessThan(SENT_WITHIN_MS);
      });

      it('serves a resident model through the same gate', async () => {
        const { log } = await askThroughGate(under.engine, await modelsNow(under.engine), under.resident);
        expect(log[0]).toBe('ack');
        expect(log.at(-1)).toBe('end completed');
      });

      if (subject.evicts) {
        it('rejects a request for a model that is not resident without calling the engine', async () => {
          const { engine, inferenceCalls } = under;
          const installed = notResident(under);
          const { log } = await askThroughGate(engine, await modelsNow(engine), installed);
          expect(log).toEqual(['reject not_loaded']);
          expect(inferenceCalls?.() ?? 0).toBe(0);
          expect(stateIn(await modelsNow(engine), installed)).toBe('installed');
        });

        it('notices when the engine unloads a model by itself', async () => {
          const { engine, resident, evict } = under;
          await evict?.();
          await listWhen(engine, (models) => stateIn(models, resident) !== 'loaded');
        });
      }

      it('listing and serving has no models once the engine has stopped', async () => {
        await under.quit();
        await listWhen(under.engine, (models) => models.length === 0);
      });
    });

    describe('operations', () => {
      let under: EngineUnderTest;
      let management: EngineManagement;
      beforeEach(async () => {
        under = await begin(LONG_POLL_MS);
        management = under.engine.management;
      });

      if (subject.loads)
        describe('load and unload', () => {
          loadsAndUnloads(() => under);
        });
      else
        it('refuses to load and unload as unsupported, or omits them', async () => {
          const { context } = new Progress();
          // Loading a loaded model may count as success.
          await refusedAsUnsupported(management.unload && (() => management.unload?.(under.resident, context)));
          expect(stateIn(await modelsNow(under.engine), under.resident)).toBe('loaded');
        });

      const { install } = subject;
      if (install === 'needs the internet')
        it.skip('installs from the internet, which tests do not access', () => undefined);
      else if (install !== undefined)
        describe('install', () => {
          installs(() => under, install, subject.removes);
        });
      else
        it('refuses to install and remove as unsupported, or omits them', async () => {
          const { context } = new Progress();
          await refusedAsUnsupported(management.install && (() => management.install?.('org/model', context)));
          await refusedAsUnsupported(management.remove && (() => management.remove?.(under.resident, context)));
          expect(stateIn(await modelsNow(under.engine), under.resident)).toBe('loaded');
        });
    });
  });
}

function notResident({ installed }: EngineUnderTest): string {
  if (installed === undefined) throw new Error('the subject names no model that is not resident');
  return installed;
}

async function refusedAsUnsupported(operation: (() => Promise<unknown> | undefined) | undefined): Promise<void> {
  if (operation === undefined) return;
  expect((await failureOf(operation() ?? Promise.resolve())).code).toBe('unsupported');
}

type Operation<Verb extends keyof EngineManagement> = NonNullable<EngineManagement[Verb]>;

function operation<Verb extends keyof EngineManagement>(under: EngineUnderTest, verb: Verb): Operation<Verb> {
  const found = under.engine.management[verb];
  if (found === undefined) throw new Error(`the engine has no ${verb}`);
  return found;
}

/** The next inventory, within a second after the end of the operation. */
async function sentSoon(under: EngineUnderTest, model: string, state: 'loaded' | 'installed'): Promise<void> {
  const overAtMs = performance.now();
  await listWhen(under.engine, (models) => stateIn(models, model) === state);
  expect(performance.now() - overAtMs).toBeLessThan(SENT_WITHIN_MS);
}

const context = (): OperationContext => new Progress().context;

function loadsAndUnloads(current: () => EngineUnderTest): void {
  it('loads a model, reports it at once, and serves it', async () => {
    const under = current();
    const model = notResident(under);
    const progress = new Progress();
    await operation(under, 'load')(model, {}, progress.context);
    await sentSoon(under, model, 'loaded');
    expect(progress.reports.length).toBeGreaterThan(0);
    const response = await collect(await ask(under.engine, model, greeting, { stream: true }));
    expect(response.finishReason).not.toBeNull();
  });

  it('unloads a model, reports it at once, and no longer calls the engine for it', async () => {
    const under = current();
    await operation(under, 'unload')(under.resident, context());
    await sentSoon(under, under.resident, 'installed');
    const calls = under.inferenceCalls?.();
    const { log } = await askThroughGate(under.engine, await modelsNow(under.engine), under.resident);
    expect(log).toEqual(['reject not_loaded']);
    expect(under.inferenceCalls?.()).toBe(calls);
  });

  it('accepts loading a loaded model and unloading an unloaded one', async () => {
    const under = current();
    await operation(under, 'load')(under.resident, {}, context());
    expect(stateIn(await modelsNow(under.engine), under.resident)).toBe('loaded');
    await operation(under, 'unload')(under.resident, context());
    await operation(under, 'unload')(under.resident, context());
    expect(stateIn(await modelsNow(under.engine), under.resident)).toBe('installed');
  });

  it('fails for an unknown model', async () => {
    const under = current();
    const failure = await failureOf(operation(under, 'load')('no-such-model', {}, context()));
    expect(failure.code).toBe('unknown_model');
    expect(failure.message).not.toBe('');
  });
}

function installs(
  current: () => EngineUnderTest,
  { source, model, countsBytes, slowSource, unknown }: InstallExpectations,
  removes: boolean,
): void {
  it('installs a model with progress, and lists it at once', async () => {
    const under = current();
    const progress = new Progress();
    expect(await operation(under, 'install')(source, progress.context)).toBe(model);
    const models = await modelsNow(under.engine);
    expect(stateIn(models, model)).toBeDefined();
    expect(progress.reports.length).toBeGreaterThan(0);
    if (!countsBytes) return;
    const counted = progress.reports.filter(({ completedBytes }) => completedBytes !== null);
    expect(counted.length).toBeGreaterThan(0);
    for (const { completedBytes, totalBytes } of counted) {
      if (totalBytes !== null) expect(completedBytes).toBeLessThanOrEqual(totalBytes);
    }
  });

  it('stops a cancelled install, with the abort reason', async () => {
    const under = current();
    const progress = new Progress();
    const reason = new Error('cancelled by the owner');
    const outcome = operation(under, 'install')(slowSource, progress.context).catch((error: unknown) => error);
    await progress.underWay;
    progress.controller.abort(reason);
    expect(await outcome).toBe(reason);
  });

  it('reports a source that does not exist', async () => {
    const failure = await failureOf(operation(current(), 'install')(unknown.source, context()));
    expect(failure.code).toBe(unknown.code);
    expect(failure.message).not.toBe('');
  });

  if (removes) {
    it('removes what it installed', async () => {
      const under = current();
      await operation(under, 'install')(source, context());
      await operation(under, 'remove')(model, context());
      expect(stateIn(await modelsNow(under.engine), model)).toBeUndefined();
    });
  }
}
