/** F15 (docs/reference/failures.md#faults, docs/reference/security.md#nodes): the identity of one node on two computers. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FerryProcess } from '../support/process/ferry-process.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';
import { RecordingClient } from './support/recording-client.js';
import { RecordingEngine } from './support/recording-engine.js';
import { printFigures, repetitions } from './support/repetitions.js';

/** docs/reference/security.md#nodes: more than three swaps within five minutes. */
const SWAPS_ALLOWED = 3;
/** A displaced node stays away for 60 to 90 s: three such pauses lie between the first swap and the fourth. */
const SHORTEST_UNHURRIED_MS = 3 * 60_000 - 5_000;
const LONGEST_UNHURRIED_MS = 3 * 90_000 + 30_000;
const SENT_WITHIN_MS = 5_000;
/** One of these waits up to five minutes on any machine. */
const unhurriedly = repetitions >= 20 ? it : it.skip;

interface Listed {
  readonly node_id: string;
  readonly online: boolean;
  readonly problem: string | null;
}

/** One of the two computers with the same identity. */
interface Computer {
  readonly engine: RecordingEngine;
  readonly env: Readonly<Record<string, string>>;
  process: FerryProcess;
}

describe('one identity on two computers', () => {
  let relay: TestRelay;
  let client: RecordingClient;
  const worst = { told_ms: 0, unhurried_ms: 0 };

  beforeAll(async () => {
    relay = await TestRelay.start({ env: { FERRY_LINK_UPGRADES_PER_MINUTE: '10000' } });
    client = new RecordingClient(relay);
  }, 120_000);

  const cleanups: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const stop of cleanups.splice(0)) await stop();
  }, 60_000);

  afterAll(async () => {
    printFigures('F15', { repetitions, ...worst });
    await relay.stop();
  }, 60_000);

  const listed = async (nodeId: string): Promise<Listed | undefined> =>
    (await relay.manage<{ data: readonly Listed[] }>('GET', '/nodes')).data.find(({ node_id: id }) => id === nodeId);

  const linesOf = (nodeId: string, text: string): number =>
    relay.process.stderr.split('\n').filter((line) => line.includes(text) && line.includes(nodeId)).length;

  /** Processes of the node that were connected: each has an epoch of its own, and a link to every worker of the relay. */
  const connectionsOf = (nodeId: string): number => {
    const lines = relay.process.stderr
      .split('\n')
      .filter((line) => line.includes('node connected') && line.includes(nodeId));
    return new Set(lines.map((line) => (JSON.parse(line) as { epoch: number }).epoch)).size;
  };

  /** A node, and a copy of it on another computer with another engine. */
  const twins = async (model: string) => {
    const engines = [
      await RecordingEngine.start('first', [model]),
      await RecordingEngine.start('second', [model]),
    ] as const;
    const entry = ({ fake }: RecordingEngine) => ({ kind: 'openai-compatible' as const, base_url: fake.url, slots: 4 });
    const node = await TestNode.start(relay, { engines: [entry(engines[0])] });
    const copy = await mkdtemp(path.join(tmpdir(), 'ferry-twin-'));
    await cp(node.dataDirectory, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') });
    await writeFile(path.join(copy, 'node/engines.json'), JSON.stringify({ engines: [entry(engines[1])] }));
    const env = { FERRY_DATA_DIR: copy, FERRY_CONFIG_DIR: path.join(copy, 'config') };
    const first: Computer = { engine: engines[0], env: node.env, process: node.process };
    const second: Computer = { engine: engines[1], env, process: FerryProcess.start(['node', 'run'], env) };
    let stopped = false;
    const stop = async (): Promise<void> => {
      if (stopped) return;
      stopped = true;
      for (const { process } of [first, second]) {
        process.child.kill('SIGKILL');
        await process.exited;
      }
      for (const engine of engines) await engine.stop();
      await node.stop();
      await rm(copy, { recursive: true, force: true });
    };
    cleanups.push(stop);
    return { nodeId: await node.id(), first, second, stop };
  };

  /** A displaced node does not wait, because a user restarts it. */
  const startAgain = async (computer: Computer): Promise<void> => {
    computer.process.child.kill('SIGKILL');
    await computer.process.exited;
    computer.process = FerryProcess.start(['node', 'run'], computer.env);
  };

  /** The last one to connect has the link and gets all requests. */
  const expectServedBy = async (model: string, active: Computer, other: Computer): Promise<void> => {
    const before = other.engine.runs.length;
    const record = await eventually('it serves', async () => {
      const response = await client.ask({ model }).over;
      return active.engine.runOf(response.marker) !== undefined && response;
    });
    expect(record.end).toBe('completed');
    const records = await client.many(4, { model });
    expect(records.map(({ end }) => end)).toEqual(['completed', 'completed', 'completed', 'completed']);
    expect(
      other.engine.runs.slice(before).filter(({ marker }) => records.some((own) => own.marker === marker)),
    ).toEqual([]);
  };

  const conflictOf = (nodeId: string, withinMs: number): Promise<Listed> =>
    eventually(
      'the owner is notified',
      async () => {
        const node = await listed(nodeId);
        return node?.problem != null && node;
      },
      withinMs,
    );

  it('one identity on two computers is connected on one at a time, and after too many swaps on neither, with a notice to its owner', async () => {
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const model = `twin-${repetition}`;
      const { nodeId, first, second, stop } = await twins(model);
      let [active, out] = [second, first];
      for (let swap = 1; swap <= SWAPS_ALLOWED; swap += 1) {
        await eventually('they swapped', () => connectionsOf(nodeId) === swap + 1, 30_000);
        await expectServedBy(model, active, out);
        expect((await listed(nodeId))?.problem).toBeNull();
        await startAgain(out);
        [active, out] = [out, active];
      }
      const refused = eventually(
        'the relay detected it',
        () => linesOf(nodeId, 'node identity in use on two computers') > 0 && performance.now(),
        30_000,
      );
      const node = await conflictOf(nodeId, 30_000);
      worst.told_ms = Math.max(worst.told_ms, performance.now() - (await refused));
      expect(node).toMatchObject({ online: false, problem: expect.stringContaining('Two computers') });
      // A third start of either one does not help.
      await startAgain(out);
      await eventually('it is refused', () => out.process.stderr.includes('429'), 30_000);
      expect(connectionsOf(nodeId)).toBe(SWAPS_ALLOWED + 1);
      expect(await client.ask({ model }).over).toMatchObject({ end: 'refused', status: 503 });
      expect([first, second].map(({ process }) => process.running)).toEqual([true, true]);
      await stop();
    }
    expect(worst.told_ms).toBeLessThan(SENT_WITHIN_MS);
  }, 3_600_000);

  unhurriedly(
    'is detected even when nobody restarts anything',
    async () => {
      const model = 'twin-unhurried';
      const { nodeId } = await twins(model);
      await eventually('they swapped', () => connectionsOf(nodeId) === 2, 30_000);
      const sinceMs = performance.now();
      const node = await conflictOf(nodeId, LONGEST_UNHURRIED_MS);
      worst.unhurried_ms = performance.now() - sinceMs;
      expect(worst.unhurried_ms).toBeGreaterThan(SHORTEST_UNHURRIED_MS);
      expect(node.online).toBe(false);
      expect(connectionsOf(nodeId)).toBe(SWAPS_ALLOWED + 1);
    },
    600_000,
  );
});
