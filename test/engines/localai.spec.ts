import { afterEach, describe, expect, it } from '@jest/globals';
import { localAiKind } from '../../src/agent/engines/localai/localai-adapter.js';
import { createHttpEngine } from './create-http-engine.js';
import { behavesAsAnEngine } from './engine-behaviour.js';
import { ask, failureOf, greeting, listWhen, modelsNow, Progress, stateIn } from './engine-questions.js';
import { LocalAi } from './fakes/localai.js';
import { underTest } from './under-test.js';

behavesAsAnEngine('LocalAI (documented, not recorded)', {
  kind: 'localai',
  begin: async (options) => {
    const localAi = await LocalAi.start();
    return underTest(localAiKind, localAi.server, options, {
      resident: 'chatty',
      installed: 'quiet',
      evict: () => void localAi.resident.delete('chatty'),
    });
  },
  evicts: true,
  loads: true,
  install: {
    source: 'localai@fresh',
    model: 'fresh',
    countsBytes: true,
    slowSource: 'slow',
    unknown: { source: 'nope', code: 'unknown_model' },
  },
  removes: true,
});

describe('LocalAI specifics', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const begin = async () => {
    const localAi = await LocalAi.start();
    const engine = await createHttpEngine(localAiKind, { base_url: localAi.server.url, poll_ms: 60_000 });
    cleanups.push(
      () => localAi.server.stop(),
      () => engine.stop(),
    );
    await engine.start();
    return { localAi, engine };
  };

  it('lists only text and embedding models, with their inputs', async () => {
    const { engine } = await begin();
    expect(await modelsNow(engine)).toMatchObject([
      { engine_model: 'chatty', inputs: ['text', 'image'], state: 'loaded' },
      { engine_model: 'quiet', inputs: ['text'], state: 'installed' },
      { engine_model: 'embedder', embedding: true, dialects: [] },
    ]);
  });

  it('LocalAI specifics is not asked for a model that it has stopped since the last poll, because it would load it', async () => {
    const { localAi, engine } = await begin();
    localAi.resident.delete('chatty');
    await expect(ask(engine, 'chatty', greeting, { stream: true })).rejects.toMatchObject({
      failure: { code: 'engine_error', status: 503 },
    });
    expect(localAi.server.inferenceCalls()).toBe(0);
    await listWhen(engine, (models) => stateIn(models, 'chatty') === 'installed');
  });

  it.each(['https://10.0.0.1:22/model.yaml', 'http://localhost/model.yaml', 'file:///etc/passwd', 'oci://10.0.0.1/x'])(
    'LocalAI specifics is not sent an address that it would fetch: %s',
    async (source) => {
      const { localAi, engine } = await begin();
      const failure = await failureOf(engine.management.install?.(source, new Progress().context) ?? Promise.resolve());
      expect(failure.code).toBe('invalid_source');
      expect(localAi.server.asked).not.toContain('POST /models/apply');
    },
  );

  it('cancels the job in LocalAI, too', async () => {
    const { localAi, engine } = await begin();
    const { context, controller, underWay } = new Progress();
    const outcome = engine.management.install?.('slow', context).catch((error: unknown) => error);
    await underWay;
    // The job exists from the second report on.
    while (!localAi.server.asked.includes('GET /models/jobs/job-1')) await new Promise(setImmediate);
    controller.abort(new Error('cancelled'));
    await outcome;
    expect(localAi.cancelledJobs).toEqual(['job-1']);
  });
});
