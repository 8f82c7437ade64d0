/** Request and reply over the message channel of a benchmark program, one at a time. */
import type { ChildProcess } from 'node:child_process';

type Answer<Reply> = { readonly reply: Reply } | { readonly failure: string };

export class Conversation<Question extends object, Reply> {
  private settle: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;

  constructor(private readonly child: ChildProcess) {
    child.on('message', (answer: Answer<Reply>) => {
      if ('reply' in answer) this.settle?.resolve(answer.reply);
      else this.settle?.reject(new Error(answer.failure));
    });
    child.once('exit', () => this.settle?.reject(new Error('a program of the benchmark ended early')));
  }

  ask(question: Question): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.child.send(question);
    });
  }
}
