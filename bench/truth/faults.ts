/** What happens to a request, and what the client is told about it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningTarget } from '../targets/target.js';
import { ask, type Asked, type Outcome } from './ask.js';
import { MODEL, type Fault, type FaultyEngine } from './faulty-engine.js';

/** A client that has heard nothing for so long is left alone. */
const PATIENCE_MS = 30_000;
const NOTICED_WITHIN_MS = 5_000;
const POLL_MS = 5;

export interface Finding {
  /** A cell of the table. */
  readonly text: string;
  /** The client knows what has happened, or the engine has stopped. */
  readonly isTold: boolean;
}

export interface Scene {
  readonly engine: FaultyEngine;
  readonly target: RunningTarget;
}

export interface FaultCase {
  readonly title: string;
  readonly play: (scene: Scene) => Promise<Finding | null>;
}

let lastId = 0;
const promptOf = (fault: Fault): { id: string; prompt: string } => {
  lastId += 1;
  const id = `run-${lastId}`;
  return { id, prompt: `${fault} ${id}` };
};

const until = async (holds: () => boolean, withinMs: number): Promise<boolean> => {
  const end = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() >= end) return false;
    await delay(POLL_MS);
  }
  return true;
};

/** @throws when not even this works: the other findings would mean nothing */
export async function requireWhole({ target }: Scene): Promise<void> {
  const { outcome, over } = ask(target, MODEL, promptOf('none').prompt);
  await Promise.race([over, delay(PATIENCE_MS)]);
  if (outcome.status !== 200 || !outcome.hasEnd || outcome.ended !== 'in-order')
    throw new Error(`without any fault: ${JSON.stringify(outcome)}`);
}

const told = (outcome: Outcome): Finding => {
  if (outcome.status >= 400) return { text: `status ${outcome.status}`, isTold: true };
  if (outcome.hasError) return { text: 'error in the stream', isTold: true };
  if (outcome.ended === 'cut') return { text: 'connection cut', isTold: true };
  if (outcome.ended === 'not') return { text: `silent for ${PATIENCE_MS / 1_000} s`, isTold: false };
  return { text: 'looks complete', isTold: false };
};

const afterEnd = async ({ outcome, over, leave }: Asked): Promise<Finding> => {
  await Promise.race([over, delay(PATIENCE_MS)]);
  const finding = told(outcome);
  leave();
  return finding;
};

const engineFails =
  (fault: Fault, model = MODEL) =>
  ({ target }: Scene): Promise<Finding> =>
    afterEnd(ask(target, model, promptOf(fault).prompt));

/** @param isReached whether the client leaves now; `arrived`: the engine has the request */
const clientLeaves =
  (fault: Fault, isReached: (outcome: Outcome, arrived: boolean) => boolean) =>
  async ({ engine, target }: Scene): Promise<Finding> => {
    const { id, prompt } = promptOf(fault);
    const { outcome, leave } = ask(target, MODEL, prompt);
    const reached = await until(() => isReached(outcome, engine.runOf(id) !== undefined), NOTICED_WITHIN_MS);
    const leftAtMs = performance.now();
    leave();
    if (!reached) return { text: 'not reached', isTold: false };
    await until(() => engine.runOf(id)?.abandonedAtMs !== undefined, NOTICED_WITHIN_MS);
    const stoppedAtMs = engine.runOf(id)?.abandonedAtMs;
    return stoppedAtMs === undefined
      ? { text: 'engine goes on', isTold: false }
      : { text: `stopped in ${Math.max(0, stoppedAtMs - leftAtMs).toFixed(0)} ms`, isTold: true };
  };

/** null: the target has no process on the engine's side. */
const nodeIsKilled = async ({ target }: Scene): Promise<Finding | null> => {
  if (target.nodePids.length === 0) return null;
  const asked = ask(target, MODEL, promptOf('endless').prompt);
  if (!(await until(() => asked.outcome.events > 1, NOTICED_WITHIN_MS))) return { text: 'not reached', isTold: false };
  for (const pid of target.nodePids) process.kill(pid, 'SIGKILL');
  return afterEnd(asked);
};

/** In this order: the last two leave nothing behind that could serve. */
export const faultCases: readonly FaultCase[] = [
  { title: 'engine resets the connection after two events', play: engineFails('reset') },
  { title: 'engine ends its response after two events', play: engineFails('early-end') },
  { title: 'engine has no free slot (503)', play: engineFails('busy') },
  { title: 'no such model', play: engineFails('none', 'no-such-model') },
  { title: 'client leaves before the response', play: clientLeaves('no-head', (_outcome, arrived) => arrived) },
  {
    title: 'client leaves before the first event',
    play: clientLeaves('no-event', (_outcome, arrived) => arrived),
  },
  { title: 'client leaves during the stream', play: clientLeaves('endless', ({ events }) => events > 1) },
  { title: 'agent is killed during the stream', play: nodeIsKilled },
  {
    title: 'the next request after that',
    play: (scene) => (scene.target.nodePids.length === 0 ? Promise.resolve(null) : engineFails('none')(scene)),
  },
];
