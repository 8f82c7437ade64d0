/** The relay and the node of this computer as two supervised processes, started again when they end, and stopped in order. */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../../kernel/clock.js';
import { allocatorEnvironment } from '../../../core/supervision/allocator-environment.js';
import type { Facts } from '../../../core/supervision/messages.js';
import { RotatingLog } from '../../../core/supervision/rotating-log.js';
import { SupervisedProcess } from '../../../core/supervision/supervised-process.js';
import type { ProcessName, ProcessPlan } from './setup-channel.js';

/** The program that starts another `ferry`. */
export const ferryEntry = fileURLToPath(new URL('../../../../../bin/ferry.js', import.meta.url));

interface Member {
  readonly supervised: SupervisedProcess;
  readonly log: RotatingLog;
  readonly graceMs: number;
}

export class ProcessPair {
  private readonly members = new Map<ProcessName, Member>();

  /** @param note tells the user */
  constructor(private readonly note: (line: string) => void) {}

  /** Resolves when it is ready for the first time. @throws CliError when it ends before */
  launch(plan: ProcessPlan): Promise<Facts> {
    const log = new RotatingLog(plan.logFile);
    const supervised = this.supervise(plan, log);
    this.members.set(plan.name, { supervised, log, graceMs: plan.graceMs });
    return supervised.start();
  }

  /** Stops the relay first: running requests finish while the node still works. Idempotent. */
  async stop(): Promise<void> {
    const members = [...this.members.values()];
    // A signal to the whole process group may end the node at the same time.
    for (const { supervised } of members) supervised.disableRestarts();
    for (const { supervised, graceMs } of members) await supervised.stop(graceMs);
    for (const { log } of members) log.close();
    this.members.clear();
  }

  /** Both read their settings file again. */
  reload(): void {
    for (const { supervised } of this.members.values()) supervised.reload();
  }

  kill(): void {
    for (const { supervised } of this.members.values()) supervised.kill();
  }

  private supervise({ name, words: planned, env, logFile }: ProcessPlan, log: RotatingLog): SupervisedProcess {
    const words = [...planned];
    let isBack = false;
    return new SupervisedProcess({
      name,
      logFile,
      spawn: () => spawnFerry(words, env, log),
      clock: systemClock,
      random: Math.random,
      listener: {
        ready: ({ port }) => {
          if (name === 'relay') {
            // With port 0 the system has chosen one, which the clients of a restarted relay go on using.
            if (typeof port === 'number') words.splice(words.indexOf('--port') + 1, 1, String(port));
            // The back-off of the node would include the time without a relay to connect to.
            this.members.get('node')?.supervised.reconnect();
          }
          if (isBack) this.note(`The ${name} is back`);
          isBack = true;
        },
        slow: (seconds, step = 'starting') => {
          this.note(
            `The ${name} is ${step}; that has taken ${String(seconds)} s so far, because this computer is slow or busy. Waiting`,
          );
        },
        died: (how, restartInMs) => {
          const next = restartInMs === undefined ? 'it stays down; run ferry up again' : 'starting it again';
          this.note(`The ${name} is down (${how}); ${next} (log: ${logFile})`);
        },
      },
    });
  }
}

/** Starts another `ferry` with the same Node and an IPC channel; its output goes to the log. */
function spawnFerry(words: readonly string[], env: ProcessPlan['env'], log: RotatingLog): ChildProcess {
  const child = fork(ferryEntry, [...words], {
    env: { ...allocatorEnvironment, ...env },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const append = (chunk: Buffer): void => {
    log.write(chunk);
  };
  child.stdout?.on('data', append);
  child.stderr?.on('data', append);
  return child;
}
