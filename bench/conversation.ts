/** Request and reply over the message channel of a benchmark program, one at a time. */
import type { ChildProcess } from 'node:child_process';

type ProgramResponse<Result> = { readonly reply: Result } | { readonly failure: string };

export class Conversation<Question extends object, Result> {
  private settle: { resolve(response: Result): void; reject(error: Error): void } | undefined;

  constructor(private readonly child: ChildProcess) {
    child.on('message', (response: ProgramResponse<Result>) => {
      if ('reply' in response) this.settle?.resolve(response.reply);
      else this.settle?.reject(new Error(response.failure));
    });
    child.once('exit', () => this.settle?.reject(new Error('a program of the benchmark ended early')));
  }

  ask(question: Question): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.child.send(question);
    });
  }
}
