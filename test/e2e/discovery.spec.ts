/**
 * docs/reference/engines.md#adapter-rules: engines on this computer start and stop while the node runs, without any
 * configuration.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeOllama } from '../engines/fakes/ollama.js';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { freePort } from '../support/network/free-port.js';
import { ferryHere } from '../support/process/ferry-here.js';
import { ferry, FerryProcess } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { inventoryOf, TestNode } from '../support/process/test-node.js';

interface NodeRecord {
  readonly engines: readonly { readonly name: string; readonly kind: string; readonly version: string | null }[];
}

describe('a node with engine discovery', () => {
  let relay: Tenant;
  let node: TestNode;
  let generic: FakeEngine;
  let ollama: FakeOllama;
  let latePort: number;

  shareRelay((shared) => (relay = shared));

  beforeAll(async () => {
    generic = await FakeEngine.start({ models: ['plain'] });
    ollama = await FakeOllama.start({
      models: [{ name: 'resident:1b' }, { name: 'asleep:1b' }],
      resident: ['resident:1b'],
    });
    latePort = await freePort();
    const ports = [new URL(generic.url).port, new URL(ollama.url).port, String(latePort), new URL(relay.baseUrl).port];
    node = await TestNode.start(relay, {
      engines: [],
      env: {
        FERRY_DISCOVERY: 'on',
        FERRY_DISCOVERY_PORTS: ports.join(','),
        FERRY_DISCOVERY_INTERVAL_MS: '500',
      },
    });
  }, 90_000);

  afterAll(async () => {
    await node.stop();
    await generic.stop();
    await ollama.stop();
  }, 30_000);

  const enginesOf = async (): Promise<NodeRecord['engines']> => {
    const { data } = await relay.manage<{ data: readonly NodeRecord[] }>('GET', '/nodes');
    return data[0]?.engines ?? [];
  };
  const loaded = async (): Promise<string[]> => {
    const models = await inventoryOf(relay);
    return models.filter((model) => model.loaded === true).map(({ id }) => id);
  };
  const ask = (model: string, more: object = {}): Promise<Response> =>
    relay.chat({ model, messages: [{ role: 'user', content: 'Hello' }], ...more });

  it('serves them with their own adapters, sends no inference request to find them, and ignores the relay', async () => {
    await eventually('both are known', async () => (await enginesOf()).length === 2);
    const engines = await enginesOf();
    expect(engines.map(({ kind }) => kind).sort()).toEqual(['ollama', 'openai-compatible']);
    expect(engines.find(({ kind }) => kind === 'ollama')?.version).toBe('0.33.0');
    await eventually(
      'their models are loaded or not, as they are',
      async () => (await loaded()).sort().join() === 'plain,resident:1b',
    );
    const asleep = await ask('asleep:1b');
    expect([asleep.status, asleep.headers.get('x-ferry-reason')]).toEqual([503, 'model_not_loaded']);
    expect([generic.calls, ollama.inferences, ollama.loads]).toEqual([[], [], []]);
    expect((await ask('plain')).status).toBe(200);
  }, 30_000);

  it('finds one that starts later, lists its model as not loaded while it is stopped, and serves it again', async () => {
    const late = await FakeEngine.start({ models: ['late'], port: latePort });
    await eventually('its model is there', async () => (await loaded()).includes('late'));
    expect((await ask('late')).status).toBe(200);
    await late.stop();
    await eventually('its model is not loaded', async () => !(await loaded()).includes('late'));
    const refused = await ask('late');
    expect([refused.status, refused.headers.get('x-ferry-reason')]).toEqual([503, 'engine_unreachable']);
    const again = await FakeEngine.start({ models: ['late'], port: latePort });
    await eventually('it is back', async () => (await loaded()).includes('late'));
    await again.stop();
  }, 60_000);

  it('learns a missing capability from a refusal', async () => {
    const tools = [{ type: 'function', function: { name: 'now', parameters: { type: 'object' } } }];
    generic.respond = (call) => {
      call.json(400, { error: { message: 'registry.ollama.ai/library/plain does not support tools' } });
    };
    const before = generic.calls.length;
    const first = await ask('plain', { tools });
    expect([first.status, generic.calls.length - before]).toEqual([400, 1]);
    const refusal = async (): Promise<unknown> => {
      const response = await ask('plain', { tools });
      const { error } = (await response.json()) as { error: { code: string; param: string; message: string } };
      return response.status === 400 && error.message.startsWith('No online node') ? error : undefined;
    };
    const error = await eventually('the relay knows', refusal);
    expect(error).toMatchObject({ code: 'unsupported_capability', param: 'tools' });
    const asked = generic.calls.length;
    await refusal();
    expect(generic.calls.length).toBe(asked);
  }, 30_000);

  it('lists discovered engines', async () => {
    const examined = await ferry(['node', 'doctor', '--json'], node.env);
    const { ok, checks } = JSON.parse(examined.stdout) as {
      ok: boolean;
      checks: readonly { check: string; verdict: string; kind?: string; reason?: string }[];
    };
    expect([examined.code, ok]).toEqual([0, true]);
    expect(
      checks
        .filter(({ check }) => check === 'engine')
        .map(({ kind, verdict }) => `${kind} ${verdict}`)
        .sort(),
    ).toEqual(['ollama ok', 'openai-compatible ok', 'openai-compatible warn']);
    // The stopped engine, whose models stay listed.
    expect(checks.find(({ verdict }) => verdict === 'warn')).toMatchObject({ reason: 'engine_unreachable' });
    expect(checks.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        'program',
        'identity',
        'process',
        'relay_tcp',
        'relay_http',
        'clock',
        'disk_data',
        'disk_models',
        'engines',
      ]),
    );
    const shown = await ferryHere(['node', 'doctor'], node.env);
    expect(shown.stdout).toContain('✓ process');
    expect(shown.stdout).toContain('ollama at http://127.0.0.1:');
  }, 30_000);

  it('fails before joining, with advice', async () => {
    const examined = await ferryHere(['node', 'doctor'], { ...node.env, FERRY_DATA_DIR: `${node.dataDirectory}-none` });
    expect(examined.code).toBe(1);
    expect(examined.stdout).toContain('ferry node join');
  }, 30_000);
});

describe('an engine configured by address', () => {
  let relay: Tenant;

  shareRelay((shared) => (relay = shared));

  it('an engine configured by address is recognised when it starts after the node', async () => {
    const configured = await FakeEngine.start();
    const port = await freePort();
    const node = await TestNode.start(relay, {
      engines: [{ kind: 'openai-compatible', base_url: configured.url }],
    });
    await node.process.stop();
    node.process = FerryProcess.start(['node', 'run', '--engine', `http://127.0.0.1:${port}`], node.env);
    await eventually('it says what it waits for', () => node.process.stderr.includes('as soon as it responds'));
    const late = await FakeEngine.start({ port, loadsOnDemand: true });
    try {
      await eventually('it is there as what it is', async () => {
        const { data } = await relay.manage<{ data: readonly NodeRecord[] }>('GET', '/nodes');
        return data[0]?.engines.map(({ kind }) => kind).join() === 'ollama';
      });
      expect(late.calls).toEqual([]);
    } finally {
      await node.stop();
      await late.stop();
      await configured.stop();
    }
  }, 90_000);
});
