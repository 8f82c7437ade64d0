import { createInterface, type Interface } from 'node:readline/promises';
import type { ReadStream, WriteStream } from 'node:tty';

/** Turns with the arrow keys. */
const HISTORY_LINES = 200;
/** Questions that were typed while an answer was coming. */
const MOST_AHEAD = 20;
/** Terminals put marks around what is pasted, once they are asked to. */
const MARK_PASTES = '\u001b[?2004h';
const MARK_NO_PASTES = '\u001b[?2004l';

/**
 * What a person asks, one question at a time. Several lines that are pasted are one question, and what is typed while an answer is still
 * coming is asked after it: nothing gets lost, and nothing is sent that nobody has finished.
 */
export class QuestionReader {
  readonly #input: Interface;
  readonly #ahead: string[] = [];
  readonly #pasted: string[] = [];
  #pasting = false;
  #closed = false;
  #deliver: ((question: string | undefined) => void) | undefined;

  /** @param output where the prompt is drawn */
  constructor(
    private readonly terminal: ReadStream,
    private readonly output: WriteStream,
  ) {
    this.#input = createInterface({ input: terminal, output, historySize: HISTORY_LINES });
    this.#input.on('line', (line) => {
      this.#take(line);
    });
    this.#input.once('close', () => {
      this.#closed = true;
      this.#deliver?.(undefined);
    });
    terminal.on('keypress', this.#onKey);
    if (output.isTTY) output.write(MARK_PASTES);
  }

  /** Undefined at the end: Ctrl-D or Ctrl-C. */
  async next(prompt: string): Promise<string | undefined> {
    const ahead = this.#ahead.shift();
    if (ahead !== undefined) {
      // It was shown where it was typed, in the middle of an answer.
      this.output.write(`${prompt}${ahead}\n`);
      return ahead;
    }
    if (this.#closed) return undefined;
    const end = (): void => this.#deliver?.(undefined);
    this.#input.setPrompt(prompt);
    this.#input.prompt(true);
    this.#input.once('SIGINT', end);
    try {
      return await new Promise((resolve) => {
        this.#deliver = resolve;
      });
    } finally {
      this.#deliver = undefined;
      this.#input.off('SIGINT', end);
    }
  }

  /** Runs something that Ctrl-C stops. */
  async interruptible<Value>(run: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const stop = new AbortController();
    const cancel = (): void => {
      stop.abort();
    };
    this.#input.on('SIGINT', cancel);
    try {
      return await run(stop.signal);
    } finally {
      this.#input.off('SIGINT', cancel);
    }
  }

  close(): void {
    this.terminal.off('keypress', this.#onKey);
    if (this.output.isTTY) this.output.write(MARK_NO_PASTES);
    this.#input.close();
  }

  readonly #onKey = (_text: string | undefined, key: { readonly name?: string } | undefined): void => {
    if (key?.name === 'paste-start') this.#pasting = true;
    else if (key?.name === 'paste-end') this.#pasting = false;
  };

  #take(line: string): void {
    if (this.#pasting) {
      this.#pasted.push(line);
      return;
    }
    const question = [...this.#pasted.splice(0), line].join('\n').trim();
    const deliver = this.#deliver;
    // Once: the next line may be in the same portion of input, before whoever waits has heard of this one.
    this.#deliver = undefined;
    if (deliver !== undefined) deliver(question);
    else if (question !== '' && this.#ahead.length < MOST_AHEAD) this.#ahead.push(question);
  }
}
