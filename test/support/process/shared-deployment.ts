/**
 * A relay and a node with `tiny` on the built-in engine, for spec files that only ask questions: the first of them in a worker of Jest
 * starts both, and all use them, with the same account. They end with the worker, also when it is killed.
 */
import { afterAll, beforeAll } from '@jest/globals';
import type { Deployment } from './deploy.js';
import { TestNode } from './test-node.js';
import { TestRelay } from './test-relay.js';

/** By what is different for the processes of one project of Jest: a worker runs files of several. */
const running = new Map<string, Promise<Deployment>>();

const kindOfNow = (): string => process.env['TEST_FAST_PATH'] ?? '';

async function start(): Promise<Deployment> {
  const relay = await TestRelay.start({ supervised: true });
  process.once('exit', () => {
    relay.endAtExit();
  });
  const node = await TestNode.start(relay, { supervised: true });
  process.once('exit', () => {
    node.endAtExit();
  });
  return { relay, node };
}

/** @throws when one of its processes has ended or reported a failure that no code handled; the next spec file gets new ones */
function assertSound({ relay, node }: Deployment): void {
  try {
    for (const { process } of [relay, node]) {
      if (!process.running) throw new Error(`a shared process ended: ${process.ending}`);
      process.assertHandledAll();
    }
  } catch (error) {
    running.delete(kindOfNow());
    for (const part of [relay, node]) part.endAtExit();
    throw error;
  }
}

/**
 * Before the tests of the block: starts the deployment, or takes the one that runs. After them: it must still run.
 * @param use called with it before the first test
 */
export function shareDeployment(use: (deployment: Deployment) => unknown): void {
  const get = (): Promise<Deployment> => {
    const kind = kindOfNow();
    const found = running.get(kind) ?? start();
    running.set(kind, found);
    found.catch(() => running.delete(kind));
    return found;
  };

  beforeAll(async () => {
    await use(await get());
  }, 120_000);

  afterAll(async () => {
    assertSound(await get());
  }, 60_000);
}
