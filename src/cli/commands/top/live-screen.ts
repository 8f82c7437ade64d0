/** Takes over the terminal until it is closed: alternate screen, hidden cursor, raw keyboard input. */
import type { ReadStream, WriteStream } from 'node:tty';

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
/** Synchronized output: terminals that support it draw everything in between at once. */
const [BEGIN, END] = ['\u001b[?2026h', '\u001b[?2026l'];

export type Key = 'up' | 'down' | 'enter' | 'stop' | 'yes' | 'quit' | 'other';

export class LiveScreen {
  private shown = '';
  private closed = false;
  private readonly onData = (text: Buffer): void => {
    this.onKey(keyOf(text.toString('utf8')));
  };
  // Runs when the process ends with an exception, too: a terminal without echo and cursor is unusable.
  private readonly onExit = (): void => {
    this.close();
  };

  constructor(
    private readonly stdin: ReadStream,
    private readonly stdout: WriteStream,
    private readonly onKey: (key: Key) => void,
  ) {
    stdout.write(ENTER);
    process.once('exit', this.onExit);
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.on('data', this.onData).resume();
  }

  get columns(): number {
    return this.stdout.columns;
  }

  get rows(): number {
    return this.stdout.rows;
  }

  /** Writes nothing when nothing changed. */
  show(lines: readonly string[]): void {
    const text = lines.join('\u001b[K\r\n');
    const picture = `${BEGIN}\u001b[H${text}\u001b[K\u001b[J${END}`;
    if (this.closed || picture === this.shown) return;
    this.shown = picture;
    this.stdout.write(picture);
  }

  /** Idempotent. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    process.off('exit', this.onExit);
    this.stdin.off('data', this.onData).pause();
    if (this.stdin.isTTY) this.stdin.setRawMode(false);
    this.stdout.write(LEAVE);
  }
}

function keyOf(text: string): Key {
  switch (text) {
    case '\u001b[A':
    case '\u001bOA':
      return 'up';
    case '\u001b[B':
    case '\u001bOB':
      return 'down';
    case '\r':
    case '\n':
      return 'enter';
    case 'k':
    case 'K':
      return 'stop';
    case 'y':
    case 'Y':
      return 'yes';
    // In raw mode Ctrl-C is not a signal.
    case 'q':
    case 'Q':
    case '\u0003':
    case '\u001b':
      return 'quit';
    default:
      return 'other';
  }
}
