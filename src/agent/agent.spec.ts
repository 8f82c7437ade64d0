import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/clock/eventually.js';
import { FakeEngine } from '../../test/support/engine/fake-engine.js';
import { FakeRelay, isAuthorizedBy } from '../../test/support/agent/fake-relay.js';
import { testAgent } from '../../test/support/agent/test-agent.js';
import { systemClock } from '../kernel/clock.js';
import { createNodeId } from '../kernel/ids.js';
import { InstanceLockedError, readInstance } from '../kernel/instance-lock.js';
import type { Agent, AgentLog } from './agent.js';
import { createEngines } from './engines/create-engines.js';
import type { EngineEntry } from './engines/engine-entry.js';
import { engineKinds } from './engines/engine-kinds.js';
import { readEntry } from './engines/engines-file.js';
import { nodeDirectory } from './enrolment/node-identity.js';
import { createNodeKey } from './enrolment/node-key.js';

const key = createNodeKey();
const nodeId = createNodeId();
const hello = { model: 'public', messages: [{ role: 'user', content: 'hi' }], stream: true };

let dataDirectory: string;
let relay: FakeRelay;
let engine: FakeEngine;
let modelKey: string;
let logged: string[];
const agents: Agent[] = [];

beforeEach(async () => {
  dataDirectory = await mkdtemp(path.join(os.tmpdir(), 'ferry-agent-'));
  relay = await FakeRelay.start();
  engine = await FakeEngine.start();
  modelKey = `openai@${new URL(engine.url).host}/fake`;
  logged = [];
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop();
  await relay.stop();
  await engine.stop();
  await rm(dataDirectory, { recursive: true, force: true });
});

const log: AgentLog = {
  info: (details, message) => logged.push(`${message} ${JSON.stringify(details)}`),
  warn: (details, message) => logged.push(`${message} ${JSON.stringify(details)}`),
  error: (details, message) => logged.push(`${message} ${JSON.stringify(details)}`),
};

const engineAt = (url: string, more: object = {}): EngineEntry =>
  readEntry({ kind: 'openai-compatible', base_url: url, ...more }, engineKinds, url);

const agentWith = async (env: Record<string, string> = {}, entries?: readonly EngineEntry[]): Promise<Agent> => {
  const agent = testAgent({
    relayUrl: relay.url,
    dataDirectory,
    engines: await createEngines(entries ?? [engineAt(engine.url)], {
      env,
      directory: dataDirectory,
      userAgent: 'ferry-node/test',
      clock: systemClock,
      log: () => undefined,
    }),
    env,
    nodeId,
    privateKey: key.exportPrivateKey(),
    log,
  });
  agents.push(agent);
  return agent;
};

const start = async (...args: Parameters<typeof agentWith>): Promise<Agent> => {
  const agent = await agentWith(...args);
  await agent.start();
  return agent;
};

describe('a node', () => {
  it('authenticates, describes itself, and reports its models and slots', async () => {
    await start();
    const link = await relay.link(0);
    expect(isAuthorizedBy(key.publicKey, 'relay.example', nodeId, relay.authorizations[0]!)).toBe(true);
    expect(link.hello).toMatchObject({
      protocol_versions: [1],
      node_name: 'desk',
      engines: [{ kind: 'openai-compatible' }],
    });
    expect([...link.models.keys()]).toEqual([modelKey]);
    expect(link.statuses[0]).toMatchObject({ engines: [{ slots_total: 4, slots_used: 0 }], draining: false });
  });

  it('describes itself to local commands through its lock, one per data directory', async () => {
    const agent = await start();
    await relay.link(0);
    await eventually('it is connected', () => agent.status().connected);
    const sent = await readInstance(nodeDirectory(dataDirectory), 'node');
    expect(sent).toEqual(JSON.parse(JSON.stringify(agent.status())));
    expect(sent).toMatchObject({
      pid: process.pid,
      node_id: nodeId,
      relay_url: relay.url,
      connected: true,
      models: [{ key: modelKey, display_name: 'fake', state: 'loaded' }],
      slots: [{ slots_total: 4 }],
    });
    expect(JSON.stringify(sent)).not.toContain('PRIVATE');
    await expect(start()).rejects.toBeInstanceOf(InstanceLockedError);
    await agent.stop();
    expect(await readInstance(nodeDirectory(dataDirectory), 'node')).toBeUndefined();
  });

  it('streams an answer from its engine to the relay', async () => {
    await start();
    const link = await relay.link(0);
    const response = link.ask(modelKey, hello);
    await response.over;
    expect(response.log).toEqual(['ack', 'head', 'end completed']);
    expect(response.text.split('\n\n').filter((event) => event !== '')).toHaveLength(4);
    expect(response.text).toContain('"model":"public"');
    expect(response.text).not.toContain('/secret/path');
    expect(response.text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(engine.calls[0]?.body).toEqual({ ...hello, model: 'fake', stream_options: { include_usage: true } });
  });

  it('receives a large body in windows and sends a whole answer', async () => {
    await start();
    const link = await relay.link(0);
    const content = 'x'.repeat(3_000_000);
    const response = link.ask(modelKey, { model: 'public', messages: [{ role: 'user', content }] });
    await response.over;
    expect(response.end).toMatchObject({
      outcome: 'completed',
      usage: { input_tokens: 3, output_tokens: 2, source: 'engine' },
    });
    expect(JSON.parse(response.text)).toMatchObject({ model: 'public', object: 'chat.completion' });
    expect(engine.calls[0]?.raw.length).toBeGreaterThan(3_000_000);
  });

  it('stops the engine within a second of RESET, and of losing the link', async () => {
    await start();
    const link = await relay.link(0);
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'a' });
    };
    for (const end of [
      (response: ReturnType<typeof link.ask>) => response.stream.reset('cancelled'),
      () => link.socket.terminate(),
    ]) {
      const arrived = engine.nextCall();
      const response = link.ask(modelKey, hello);
      const call = await arrived;
      await eventually('the first event', () => response.text !== '');
      const at = performance.now();
      end(response);
      expect((await call.aborted) - at).toBeLessThan(1_000);
    }
  });

  it('stops reading the engine while the client does not read', async () => {
    await start();
    const link = await relay.link(0);
    let written = 0;
    engine.respond = async (call) => {
      call.startStream();
      while (!call.gone && written < 50_000_000) {
        written += 50_000;
        if (!call.chunk({ content: 'x'.repeat(50_000) })) await call.drained();
      }
    };
    const response = link.ask(modelKey, hello, { read: false });
    let before = -1;
    await eventually('the engine is held up', async () => {
      const stands = written === before;
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return stands && written > 0;
    });
    // What fits into the socket buffers of the kernel on the way is not ours.
    expect(written).toBeLessThan(20_000_000);
    expect(response.text.length).toBeLessThanOrEqual(65_536);
    response.stream.reset('cancelled');
  });

  it('reports changes while it runs', async () => {
    await start({}, [engineAt(engine.url, { poll_ms: 100 })]);
    const link = await relay.link(0);
    engine.models = ['fake', 'other'];
    await eventually('the new model is known', () => link.models.size === 2);
    expect(link.inventories.map(({ version, full }) => [version, full])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it.each([
    ['one that is known to load on demand', { loadsOnDemand: true }],
    ['one that nobody knows, with several models', { loadsUnnoticed: true, models: ['fake', 'other'] }],
  ])('never makes an engine load, %s: a request for an installed model is refused', async (_which, options) => {
    await engine.stop();
    engine = await FakeEngine.start(options);
    modelKey = `openai@${new URL(engine.url).host}/fake`;
    await start();
    const link = await relay.link(0);
    expect(link.models.get(modelKey)?.state).toBe('installed');
    const response = link.ask(modelKey, hello);
    await response.over;
    expect(response.log).toEqual(['reject not_loaded']);
    expect(engine.loads).toEqual([]);
    expect(engine.calls).toEqual([]);
  });
});

describe('a crashed engine', () => {
  it('fails one request, and its models are no longer reported as loaded', async () => {
    await start({}, [engineAt(engine.url, { poll_ms: 600_000 })]);
    const link = await relay.link(0);
    await engine.stop();
    const response = link.ask(modelKey, hello);
    await response.over;
    expect(response.end?.failure).toMatchObject({
      code: 'engine_error',
      message: expect.stringContaining('Is it running'),
    });
    await eventually('its model is not available', () => link.models.get(modelKey)?.engine_unreachable === true);
    expect(link.models.get(modelKey)?.state).toBe('installed');
    engine = await FakeEngine.start();
  });
});

describe("a node's connection", () => {
  it("a node's connection is restored after an outage of the relay, with a full report", async () => {
    await start();
    const link = await relay.link(0);
    const { port } = relay;
    await relay.stop();
    await eventually('the link is gone', () => !link.open);
    relay = await FakeRelay.start(port);
    const again = await relay.link(0);
    expect(again.inventories[0]).toMatchObject({ version: 1, full: true });
    expect([...again.models.keys()]).toEqual([modelKey]);
    expect(again.hello?.process_id).toBe(link.hello?.process_id);
  });

  it("a node's connection is replaced before the old one ends when the relay sends GOAWAY", async () => {
    await start();
    const old = await relay.link(0);
    let finish: (() => void) | undefined;
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'a' });
      finish = () => call.finish();
    };
    const response = old.ask(modelKey, hello);
    await eventually('the first event', () => response.text !== '');
    old.session.goAway({ reason: 'draining', reconnect_in_ms: 10 });
    await relay.link(1);
    expect(relay.standing).toHaveLength(2);
    finish?.();
    await response.over;
    expect(response.log.at(-1)).toBe('end completed');
    await eventually('the old link is closed', () => !old.open);
    expect(relay.standing).toHaveLength(1);
  });

  it.each([401, 403])('ends when the relay refuses the identity with %s, with advice', async (status) => {
    relay.refuse = { status };
    const agent = await start();
    expect(await agent.refused).toBe('unauthorized');
    expect(logged.at(-1)).toContain('join again');
    expect(relay.authorizations).toHaveLength(2);
  });

  it('ends when the node is revoked while it is connected', async () => {
    const agent = await start();
    const link = await relay.link(0);
    link.session.close(4401, 'revoked');
    expect(await agent.refused).toBe('revoked');
    expect(logged.at(-1)).toContain('revoked');
    expect(agent.status().connected).toBe(false);
  });

  it('waits as long as an overloaded relay asks for', async () => {
    relay.refuse = { status: 429, retryAfter: 1 };
    await start();
    await eventually('it was refused', () => relay.authorizations.length === 1);
    relay.refuse = undefined;
    const at = performance.now();
    await relay.link(0);
    expect(performance.now() - at).toBeGreaterThan(800);
  });
});

describe('a node that is stopped', () => {
  it('finishes running requests, refuses new ones, and ends', async () => {
    const agent = await start();
    const link = await relay.link(0);
    let finish: (() => void) | undefined;
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'a' });
      finish = () => call.finish();
    };
    const response = link.ask(modelKey, hello);
    await eventually('the first event', () => response.text !== '');
    const drained = agent.drain();
    await eventually('the relay knows', () => link.saidGoAway && link.statuses.at(-1)?.draining === true);
    finish?.();
    await drained;
    await agent.stop();
    await response.over;
    expect(response.log.at(-1)).toBe('end completed');
    await eventually('the link is closed', () => !link.open);
    expect(link.closeCode).toBe(1_001);
  });

  it('waits for a bounded time', async () => {
    const agent = await start({ FERRY_NODE_DRAIN_TIMEOUT_MS: '100' });
    const link = await relay.link(0);
    engine.respond = () => undefined;
    const arrived = engine.nextCall();
    const response = link.ask(modelKey, hello);
    const call = await arrived;
    await agent.drain();
    await agent.stop();
    await call.aborted;
    await response.over;
    expect(response.log).toEqual(['ack', 'lost node_disconnected']);
  });
});
