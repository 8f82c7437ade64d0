/** A node whose computer sleeps: a real agent and real sockets, a clock that a test sets, and a router that forgets. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/clock/eventually.js';
import { FakeEngine } from '../../test/support/engine/fake-engine.js';
import { FakeRelay } from '../../test/support/agent/fake-relay.js';
import { ForgetfulProxy } from '../../test/support/network/forgetful-proxy.js';
import { testAgent } from '../../test/support/agent/test-agent.js';
import { systemClock, type Clock } from '../kernel/clock.js';
import type { Agent } from './agent.js';
import { createEngines } from './engines/create-engines.js';
import { engineKinds } from './engines/engine-kinds.js';
import { readEntry } from './engines/engines-file.js';

/** Silence would take ten minutes; a node that notices needs a second. */
const env = { FERRY_NODE_LINK_PING_INTERVAL_MS: '600000', FERRY_NODE_LINK_DEAD_AFTER_MS: '600000' };
const WITHIN_MS = 10_000;
const hello = { model: 'public', messages: [{ role: 'user', content: 'hi' }], stream: true };

let directory: string;
let relay: FakeRelay;
let proxy: ForgetfulProxy;
let engine: FakeEngine;
let agent: Agent;
let sleptMs: number;
let wallStepMs: number;

beforeEach(async () => {
  sleptMs = 0;
  wallStepMs = 0;
  const clock: Clock = {
    monotonicMs: () => systemClock.monotonicMs() + sleptMs,
    wallMs: () => systemClock.wallMs() + sleptMs + wallStepMs,
  };
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-suspend-'));
  relay = await FakeRelay.start();
  proxy = await ForgetfulProxy.start(relay.url);
  engine = await FakeEngine.start();
  const entry = readEntry({ kind: 'openai-compatible', base_url: engine.url, slots: 1 }, engineKinds, 'test');
  agent = testAgent({
    relayUrl: proxy.url,
    dataDirectory: directory,
    engines: await createEngines([entry], {
      env,
      directory,
      userAgent: 'ferry-node/test',
      clock,
      log: () => undefined,
    }),
    env,
    clock,
  });
  await agent.start();
});

afterEach(async () => {
  await agent.stop();
  await proxy.stop();
  await relay.stop();
  await engine.stop();
  await rm(directory, { recursive: true, force: true });
});

const modelKey = (): string => `openai@${new URL(engine.url).host}/fake`;

async function serves(index: number): Promise<void> {
  const link = await relay.link(index);
  await eventually('its model is known', () => link.models.has(modelKey()), WITHIN_MS);
  const response = link.ask(modelKey(), hello);
  await response.over;
  expect(response.log).toEqual(['ack', 'head', 'end completed']);
}

const linksWithin = (count: number): Promise<unknown> =>
  eventually(`link ${count}`, () => relay.links.length === count, WITHIN_MS);

describe('a node whose computer was suspended', () => {
  it.each<[string, () => void]>([
    ['with a monotonic clock that went on', () => (sleptMs = 180_000)],
    ['with a monotonic clock that stood still', () => (wallStepMs = 180_000)],
  ])('serves again when its router has forgotten its connection, %s', async (_, sleep) => {
    await serves(0);
    proxy.forget();
    sleep();
    await linksWithin(2);
    await serves(1);
  });

  it('frees the slots of requests on a lost connection', async () => {
    const link = await relay.link(0);
    const { respond: response } = engine;
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'Once' });
    };
    const before = link.ask(modelKey(), hello);
    await eventually('it has begun', () => before.text.includes('Once'));
    engine.respond = response;
    proxy.forget();
    sleptMs = 180_000;
    await linksWithin(2);
    await eventually('the engine is left', () => engine.calls[0]?.gone === true, WITHIN_MS);
    await serves(1);
  });

  it('finishes requests on a live link when only the clock was set', async () => {
    const link = await relay.link(0);
    let finish: () => void = () => undefined;
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'Once' });
      finish = () => {
        call.finish();
      };
    };
    const running = link.ask(modelKey(), hello);
    await eventually('it has begun', () => running.text.includes('Once'));
    wallStepMs = -3_600_000;
    await linksWithin(2);
    await relay.link(1);
    finish();
    await running.over;
    expect(running.log).toEqual(['ack', 'head', 'end completed']);
  });

  it('keeps its link without a suspend', async () => {
    await serves(0);
    wallStepMs = 5_000;
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(relay.links).toHaveLength(1);
  });
});
