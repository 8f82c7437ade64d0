/**
 * One relay for all spec files of a worker of Jest that need no relay of their own: the first of them starts it, and it ends with the worker,
 * also when that is killed. Each file asks on the account of a node with `tiny`, or gets an account of its own.
 */
import { afterAll, beforeAll } from '@jest/globals';
import { FakeEngine } from '../engine/fake-engine.js';
import type { Deployment } from './deploy.js';
import { Tenant } from './tenant.js';
import { TestNode } from './test-node.js';
import { TestRelay } from './test-relay.js';

interface Shared {
  readonly relay: Promise<TestRelay>;
  /** On the relay's first account. Started when the first spec file asks for it. */
  node?: Promise<TestNode>;
}

/** For {@link Tenant.signUp}, and so that no file waits for its requests in the log. */
const env = { FERRY_SIGN_UP: 'open', FERRY_TRUSTED_PROXIES: '127.0.0.1', FERRY_USAGE_FLUSH_MS: '50' };

/** By what is different for the processes of one project of Jest: a worker runs files of several. */
const running = new Map<string, Shared>();

const kindOfNow = (): string => process.env['TEST_FAST_PATH'] ?? '';

function endsWithUs<Part extends TestRelay | TestNode>(part: Part): Part {
  process.once('exit', () => {
    part.endAtExit();
  });
  return part;
}

function sharedNow(): Shared {
  const kind = kindOfNow();
  const found = running.get(kind) ?? {
    relay: TestRelay.start({ supervised: true, env }).then(endsWithUs),
  };
  running.set(kind, found);
  found.relay.catch(() => running.delete(kind));
  return found;
}

async function sharedDeployment(): Promise<Deployment> {
  const shared = sharedNow();
  const relay = await shared.relay;
  shared.node ??= TestNode.start(relay, { supervised: true }).then(endsWithUs);
  shared.node.catch(() => delete shared.node);
  return { relay, node: await shared.node };
}

/** @throws when a shared process has ended or reported a failure that no code handled; the next spec file gets new ones */
async function assertSound(): Promise<void> {
  const { relay, node } = sharedNow();
  const parts = await Promise.all([relay, ...(node === undefined ? [] : [node])]);
  try {
    for (const { process } of parts) {
      if (!process.running) throw new Error(`a shared process ended: ${process.ending}`);
      process.assertHandledAll();
    }
  } catch (error) {
    running.delete(kindOfNow());
    for (const part of parts) part.endAtExit();
    throw error;
  }
}

/**
 * Before the tests of the block: a relay and a node with `tiny` on the built-in engine, for files that only ask questions. After them: both
 * must still run.
 * @param use called with them before the first test
 */
export function shareDeployment(use: (deployment: Deployment) => unknown): void {
  beforeAll(async () => {
    await use(await sharedDeployment());
  }, 120_000);

  afterAll(assertSound, 60_000);
}

/**
 * Before the tests of the block: a new account on the shared relay. After them: the relay must still run.
 * @param use called with it before the first test
 */
export function shareRelay(use: (relay: Tenant) => unknown): void {
  let tenant: Tenant | undefined;

  beforeAll(async () => {
    tenant = await Tenant.signUp(await sharedNow().relay);
    await use(tenant);
  }, 120_000);

  afterAll(async () => {
    await tenant?.leave();
    await assertSound();
  }, 60_000);
}

interface EngineDeployment {
  readonly relay: Tenant;
  readonly engine: FakeEngine;
  readonly node: TestNode;
}

/**
 * Before the tests of the block: a new account on the shared relay, with a node of its own in front of a fake engine. They end after them.
 * @param entry fields of the engine in the node's engines file
 * @param use called with them before the first test
 */
export function shareRelayWithEngine(
  entry: Readonly<Record<string, unknown>>,
  use: (deployment: EngineDeployment) => unknown,
): void {
  const started: { stop(): Promise<void> }[] = [];

  // Before the account is left: hooks after the tests run in the order in which they are declared.
  afterAll(async () => {
    for (const part of started) await part.stop();
  }, 60_000);

  shareRelay(async (relay) => {
    const engine = await FakeEngine.start();
    started.unshift(engine);
    const engines = [{ kind: 'openai-compatible' as const, base_url: engine.url, ...entry }];
    const node = await TestNode.start(relay, { engines });
    started.unshift(node);
    await use({ relay, engine, node });
  });
}
