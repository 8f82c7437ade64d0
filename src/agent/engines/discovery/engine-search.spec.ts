import { describe, expect, it } from '@jest/globals';
import { LiteLlm } from '../../../../test/engines/fakes/litellm.js';
import type { Engine } from '../engine.js';
import type { FoundEngine } from '../last-known/last-known-models.js';
import { EngineSearch } from './engine-search.js';
import { loopbackTargets, pinnedTarget, type SearchTarget } from './search-targets.js';
import { TargetProbe, type TargetResponse } from './target-probe.js';

const LIST = '{"object":"list","data":[{"id":"a"}]}';
const ollama = { '/v1/models': LIST, '/api/version': '{"version":"0.33.0"}' };
const vllm = { '/v1/models': LIST, '/version': '{"version":"0.19"}' };

const set = (targets: readonly SearchTarget[]) => {
  /** What answers, by origin; the rest refuses. */
  const servers = new Map<
    string,
    Readonly<Record<string, string>> | ((path: string) => Promise<TargetResponse>) | 'silent'
  >();
  const asked: string[] = [];
  const engines: string[] = [];
  const logged: string[] = [];
  const busy = new Set<string>();
  const keepsModels = new Set<string>();
  const foundBefore: FoundEngine[] = [];
  let due: (() => void) | undefined;
  const search = new EngineSearch({
    places: targets,
    intervalMs: 15_000,
    catalogue: {
      add: ({ name }) => {
        engines.push(name);
        return Promise.resolve();
      },
      remove: (name) => void engines.splice(engines.indexOf(name), 1),
      hasRoomFor: (name) => !engines.includes(name),
      keepsModelsOf: (name) => keepsModels.has(name),
      foundBefore,
      slots: () =>
        engines.map((name) => ({ name, slots_total: 1, slots_used: busy.has(name) ? 1 : 0, queue_depth: 0 })),
    },
    create: (kind, url) => Promise.resolve({ name: `${kind}@${url.host}` } as unknown as Engine),
    get: (base, path): Promise<TargetResponse> => {
      asked.push(`${base.host}${path}`);
      const server = servers.get(base.origin);
      if (server === undefined) return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
      if (server === 'silent') return Promise.reject(Object.assign(new Error('late'), { name: 'TimeoutError' }));
      if (typeof server === 'function') return server(path);
      const text = server[path];
      return Promise.resolve({ status: text === undefined ? 404 : 200, server: '', text: text ?? '' });
    },
    timers: {
      after: (_ms, work) => {
        due = work;
        return () => (due = undefined);
      },
    },
    log: (level, message) => logged.push(`${level} ${message}`),
  });
  const waits = (): boolean => due !== undefined;
  const round = async (times = 1): Promise<void> => {
    for (let index = 0; index < times; index += 1) {
      const work = due;
      due = undefined;
      work?.();
      while (!waits()) await new Promise(setImmediate);
    }
  };
  return { search, servers, asked, engines, logged, busy, keepsModels, foundBefore, round, waits };
};

describe('a proxy whose health check calls every model, as that of LiteLLM does', () => {
  it('gets no such call in an hour of discovery', async () => {
    const proxy = await LiteLlm.start();
    const { host, port, origin } = new URL(proxy.server.url);
    const { search, servers, engines, round } = set(loopbackTargets([Number(port)], []));
    const probe = new TargetProbe('ferry-node/test');
    servers.set(origin, (path) => probe.get(new URL(origin), path));
    await search.start();
    // Every 15 seconds.
    await round(240);
    expect(engines).toEqual([`openai-compatible@${host}`]);
    expect(proxy.server.asked.length).toBeGreaterThan(240);
    expect(proxy.modelCalls).toBe(0);
    await probe.close();
    await proxy.server.stop();
  });
});

describe('local engines', () => {
  it('local engines are found by the first probe, or later when they start later', async () => {
    const { search, servers, engines, round } = set(loopbackTargets([11_434, 8_000], []));
    servers.set('http://127.0.0.1:11434', ollama);
    await search.start();
    expect(engines).toEqual(['ollama@127.0.0.1:11434']);
    servers.set('http://[::1]:8000', vllm);
    await round();
    expect(engines).toEqual(['ollama@127.0.0.1:11434', 'vllm@[::1]:8000']);
  });

  it('local engines are removed after three empty probes, and come back', async () => {
    const { search, servers, engines, round } = set(loopbackTargets([11_434], []));
    servers.set('http://127.0.0.1:11434', ollama);
    await search.start();
    servers.delete('http://127.0.0.1:11434');
    await round(2);
    expect(engines).toHaveLength(1);
    await round();
    expect(engines).toEqual([]);
    servers.set('http://127.0.0.1:11434', ollama);
    await round();
    expect(engines).toHaveLength(1);
  });

  it('local engines stay as long as their models are known', async () => {
    const { search, servers, engines, keepsModels, round } = set(loopbackTargets([11_434], []));
    servers.set('http://127.0.0.1:11434', ollama);
    await search.start();
    keepsModels.add('ollama@127.0.0.1:11434');
    servers.delete('http://127.0.0.1:11434');
    await round(10);
    expect(engines).toEqual(['ollama@127.0.0.1:11434']);
    keepsModels.clear();
    await round();
    expect(engines).toEqual([]);
  });

  it('found before a restart of the node are served from its start, also while they are away', async () => {
    const { search, engines, foundBefore, servers, round } = set(loopbackTargets([11_434, 8_000], []));
    foundBefore.push({ kind: 'vllm', url: 'http://127.0.0.1:8000/' }, { kind: 'ollama', url: 'http://gone.lan:1/' });
    await search.start();
    expect(engines).toEqual(['vllm@127.0.0.1:8000']);
    servers.set('http://127.0.0.1:8000', ollama);
    await round();
    expect(engines).toEqual(['ollama@127.0.0.1:8000']);
  });

  it('local engines survive single missed probes', async () => {
    const { search, servers, engines, round } = set(loopbackTargets([11_434], []));
    for (let time = 0; time < 4; time += 1) {
      servers.set('http://127.0.0.1:11434', ollama);
      await (time === 0 ? search.start() : round());
      servers.set('http://127.0.0.1:11434', 'silent');
      await round(2);
    }
    expect(engines).toHaveLength(1);
  });

  it('local engines that are busy computing stay', async () => {
    const { search, servers, engines, busy, round } = set(loopbackTargets([11_434], []));
    servers.set('http://127.0.0.1:11434', ollama);
    await search.start();
    busy.add('ollama@127.0.0.1:11434');
    servers.set('http://127.0.0.1:11434', 'silent');
    await round(10);
    expect(engines).toHaveLength(1);
    busy.clear();
    await round(3);
    expect(engines).toEqual([]);
  });

  it('local engines are replaced by another one on the same port', async () => {
    const { search, servers, engines, round } = set(loopbackTargets([8_000], []));
    servers.set('http://127.0.0.1:8000', ollama);
    await search.start();
    servers.set('http://127.0.0.1:8000', vllm);
    await round(4);
    expect(engines).toEqual(['vllm@127.0.0.1:8000']);
  });

  it('local engines are asked only for their list while the engine is the same', async () => {
    const { search, servers, asked, round } = set(loopbackTargets([11_434], []));
    servers.set('http://127.0.0.1:11434', ollama);
    await search.start();
    asked.length = 0;
    await round(3);
    expect(asked).toEqual(Array(3).fill('127.0.0.1:11434/v1/models'));
  });

  it('local engines are probed rarely and silently on a port with another service', async () => {
    const { search, servers, asked, engines, logged, round } = set(loopbackTargets([8_080], []));
    servers.set('http://127.0.0.1:8080', { '/': '<html>' });
    await search.start();
    await round(7);
    expect(asked.filter((path) => path.startsWith('127.0.0.1'))).toHaveLength(2);
    expect([engines, logged]).toEqual([[], []]);
  });

  it('local engines are not probed after the stop', async () => {
    const { search, engines, servers, waits } = set(loopbackTargets([11_434], []));
    servers.set('http://127.0.0.1:11434', ollama);
    const started = search.start();
    search.stop();
    await started;
    expect([engines, waits()]).toEqual([[], false]);
  });
});

describe('an engine given by address', () => {
  const target = pinnedTarget(new URL('http://gpu.lan:11434/v1'));

  it('gets the matching adapter, also when it starts later, and a problem is logged once', async () => {
    const { search, servers, engines, logged, round } = set([target]);
    await search.start();
    await round(2);
    expect(logged).toEqual([
      'warn the engine at http://gpu.lan:11434/v1 cannot be reached; it will be used as soon as it responds',
    ]);
    servers.set('http://gpu.lan:11434', { '/': '<html>' });
    await round();
    expect(logged.at(-1)).toContain('without a list of models');
    servers.set('http://gpu.lan:11434', ollama);
    await round();
    expect(engines).toEqual(['ollama@gpu.lan:11434']);
  });

  it('an engine given by address is kept while it is away', async () => {
    const { search, servers, engines, round } = set([target]);
    servers.set('http://gpu.lan:11434', ollama);
    await search.start();
    servers.delete('http://gpu.lan:11434');
    await round(10);
    expect(engines).toEqual(['ollama@gpu.lan:11434']);
    servers.set('http://gpu.lan:11434', vllm);
    await round(4);
    expect(engines).toEqual(['vllm@gpu.lan:11434']);
  });
});
