/** Starts and commands the load generator. */
import type { ChildProcess } from 'node:child_process';
import { pidOf, startProgram, stop } from '../child.js';
import { Conversation } from '../conversation.js';
import type { Command, LoadResult, Result } from './load-protocol.js';

export class Generator {
  private readonly child: ChildProcess = startProgram('load/generator.program.ts');
  private readonly conversation = new Conversation<Command, Result>(this.child);

  get pid(): number {
    return pidOf(this.child);
  }

  /** @throws when the target does not respond at all */
  prepare(command: Omit<Extract<Command, { command: 'prepare' }>, 'command'>): Promise<Result> {
    return this.conversation.ask({ command: 'prepare', ...command });
  }

  /** @returns events or requests so far */
  async tell(command: 'start' | 'begin' | 'end'): Promise<number> {
    return (await this.conversation.ask({ command })).units;
  }

  async finish(): Promise<LoadResult> {
    const { result } = await this.conversation.ask({ command: 'finish' });
    if (result === undefined) throw new Error('the generator has no result');
    return result;
  }

  stop(): Promise<void> {
    return stop(this.child);
  }
}
