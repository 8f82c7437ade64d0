// Own relay: a failure is planted in it.
/** An unhandled rejection: the process continues, logs it, and the suite fails. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { UNHANDLED_FAILURE } from '../../src/kernel/unhandled-failures.js';
import { eventually } from '../support/clock/eventually.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

/** Every process that loads it rejects when it gets the signal. */
const mistake = `data:text/javascript,${encodeURIComponent(
  `import { isMainThread } from 'node:worker_threads';
   if (isMainThread) process.on('SIGUSR2', () => void Promise.reject(new Error('a mistake of the test')));`,
)}`;
const env = { NODE_OPTIONS: `--import=${mistake}` };

describe('an unhandled rejection', () => {
  let relay: TestRelay | undefined;
  let node: TestNode | undefined;

  /** When the test ended early. */
  afterEach(() => {
    for (const { process } of [node, relay].filter((started) => started !== undefined)) process.child.kill('SIGKILL');
  });

  it('ends neither the relay nor the node, and is logged by both', async () => {
    relay = await TestRelay.start({ env });
    node = await TestNode.start(relay, { engines: [{ kind: 'llamacpp', load: [] }], env });
    for (const { process } of [relay, node]) {
      process.child.kill('SIGUSR2');
      await eventually('it is logged', () => process.stderr.includes(UNHANDLED_FAILURE), 30_000);
      expect(process.stderr).toContain('a mistake of the test');
    }
    expect((await fetch(`${relay.baseUrl}/readyz`)).status).toBe(200);
    expect(node.process.running).toBe(true);
    // What each test does at its end, and what makes it fail.
    await expect(node.stop()).rejects.toThrow('no code handled');
    await expect(relay.stop()).rejects.toThrow('no code handled');
  }, 90_000);
});
