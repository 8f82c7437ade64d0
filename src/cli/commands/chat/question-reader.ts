import { createInterface, type Interface } from 'node:readline/promises';
import type { ReadStream, WriteStream } from 'node:tty';

/** History size. */
const HISTORY_LINES = 200;
/** Limit of questions typed ahead. */
const MOST_AHEAD = 20;
/** Begins and ends a question of several lines, as in `ollama run`. */
const BLOCK = '"""';
const BLOCK_PROMPT = '… ';
/** Bracketed paste mode of terminals. */
const MARK_PASTES = '\u001b[?2004h';
const MARK_NO_PASTES = '\u001b[?2004l';

/**
 * Reads questions from a terminal. Pasted lines form one question; lines typed while a response streams are queued. No input is lost, and no
 * unfinished line is sent.
 */
export class QuestionReader {
  readonly #input: Interface;
  readonly #ahead: string[] = [];
  readonly #pasted: string[] = [];
  /** Lines of a block that is not closed yet. */
  #block: string[] | undefined;
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
    });
    terminal.on('keypress', this.#onKey);
    if (output.isTTY) output.write(MARK_PASTES);
  }

  /** Undefined at the end: Ctrl-D or Ctrl-C. */
  async next(prompt: string): Promise<string | undefined> {
    const ahead = this.#ahead.shift();
    if (ahead !== undefined) {
      // It was echoed in the middle of the previous response.
      this.output.write(`${prompt}${ahead}\n`);
      return ahead;
    }
    if (this.#closed) return undefined;
    const end = (): void => {
      // The shell's prompt, or what is said next, begins on a line of its own.
      if (this.output.isTTY && this.#deliver !== undefined) this.output.write('\n');
      this.#deliver?.(undefined);
    };
    this.#input.setPrompt(this.#block === undefined ? prompt : BLOCK_PROMPT);
    this.#input.prompt(true);
    this.#input.once('SIGINT', end);
    this.#input.once('close', end);
    try {
      return await new Promise((resolve) => {
        this.#deliver = resolve;
      });
    } finally {
      this.#deliver = undefined;
      this.#input.off('SIGINT', end);
      this.#input.off('close', end);
    }
  }

  /** Runs an action that Ctrl-C cancels. */
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

  /** Undefined while a block is open, which is asked for with a prompt of its own. */
  #questionOf(text: string): string | undefined {
    const began = this.#block === undefined && text.trimStart().startsWith(BLOCK);
    if (this.#block === undefined && !began) return text.trim();
    const rest = began ? text.trimStart().slice(BLOCK.length) : text;
    const lines = (this.#block ??= []);
    const end = rest.indexOf(BLOCK);
    lines.push(end === -1 ? rest : rest.slice(0, end));
    if (end !== -1) {
      this.#block = undefined;
      return lines.join('\n').trim();
    }
    if (this.#deliver !== undefined) {
      this.#input.setPrompt(BLOCK_PROMPT);
      this.#input.prompt(true);
    }
    return undefined;
  }

  #take(line: string): void {
    if (this.#pasting) {
      this.#pasted.push(line);
      return;
    }
    const question = this.#questionOf([...this.#pasted.splice(0), line].join('\n'));
    if (question === undefined) return;
    const deliver = this.#deliver;
    // `once`: the next line may be in the same chunk, before the waiting reader has run.
    this.#deliver = undefined;
    if (deliver !== undefined) deliver(question);
    else if (question !== '' && this.#ahead.length < MOST_AHEAD) this.#ahead.push(question);
  }
}
