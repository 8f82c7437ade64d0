/** Starts and commands a process with many nodes. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { CrowdCount, CrowdOrder } from './crowd.program.js';

type ProgramResponse = { readonly reply: CrowdCount } | { readonly failure: string };

export class Crowd {
  private readonly ended: Promise<never>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'exit').then(() => {
      throw new Error('the process with the nodes ended');
    });
    this.ended.catch(() => undefined);
  }

  static start(): Crowd {
    const file = path.join(import.meta.dirname, 'crowd.program.ts');
    return new Crowd(fork(file, [], { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }));
  }

  /** One at a time. */
  async tell(order: CrowdOrder): Promise<CrowdCount> {
    const responded = once(this.child, 'message') as Promise<[ProgramResponse]>;
    this.child.send(order);
    const [response] = await Promise.race([responded, this.ended]);
    if ('failure' in response) throw new Error(response.failure);
    return response.reply;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}
