import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { isJsonObject, parseJson, type JsonObject } from '../../../kernel/json-object.js';
import { parseLogLine, type LogRecord } from '../../../kernel/log/log-record.js';
import type { ServiceManager } from '../service/service-manager.js';
import type { LogLine, LogPart, LogSource } from './log-line.js';

/** The command that prints the last lines, or with `follow` those that come. */
type JournalCommand = (lines: number, follow: boolean) => readonly string[];

/** Asked for where only some of them may be wanted. */
const LINES_TO_CHOOSE_FROM = 10_000;
/** Lines of a following journal that wait to be shown; it is not read while there are more. */
const MOST_WAITING = 1_000;

/** Reads the log of a systemd service. */
export class JournalLog implements LogSource {
  private follower: ChildProcess | undefined;
  private cursor: string | undefined;
  private readonly waiting: LogLine[] = [];
  private resume: () => void = () => undefined;

  constructor(
    private readonly part: LogPart,
    private readonly command: JournalCommand,
  ) {}

  static of(part: LogPart, manager: ServiceManager): JournalLog {
    return new JournalLog(part, (lines, follow) => [...manager.logs('', lines, follow), '--output', 'json']);
  }

  async last(count: number, isRequested: (record: LogRecord) => boolean): Promise<readonly LogLine[]> {
    const found: LogLine[] = [];
    const { lines } = start(this.command(LINES_TO_CHOOSE_FROM, false));
    for await (const text of lines) {
      const line = this.read(text);
      if (line === undefined || !isRequested(line.record)) continue;
      found.push(line);
      if (found.length > count) found.shift();
    }
    return found;
  }

  added(): Promise<readonly LogLine[]> {
    if (this.follower === undefined) this.follow();
    const lines = this.waiting.splice(0);
    this.resume();
    return Promise.resolve(lines);
  }

  async close(): Promise<void> {
    const { follower } = this;
    if (follower?.pid === undefined || follower.exitCode !== null || follower.signalCode !== null) return;
    const closed = once(follower, 'close');
    follower.kill();
    await closed;
  }

  private follow(): void {
    const { cursor } = this;
    // --no-tail: also what was logged since the last lines were read.
    const rest = cursor === undefined ? [] : ['--no-tail', `--after-cursor=${cursor}`];
    const { journal, lines } = start([...this.command(0, true), ...rest]);
    this.follower = journal;
    lines.on('line', (text) => {
      const line = this.read(text);
      if (line !== undefined) this.waiting.push(line);
      if (this.waiting.length >= MOST_WAITING) lines.pause();
    });
    this.resume = () => {
      lines.resume();
    };
    // A closed pipe ends this process at once, and must not leave the other one behind.
    process.once('exit', () => journal.kill());
  }

  private read(text: string): LogLine | undefined {
    const entry = parseJson(text);
    if (!isJsonObject(entry)) return undefined;
    const { __CURSOR: cursor, __REALTIME_TIMESTAMP: microseconds } = entry;
    if (typeof cursor === 'string') this.cursor = cursor;
    const record = parseLogLine(messageOf(entry));
    const timeMs = Math.floor(Number(microseconds) / 1_000);
    return { part: this.part, record: { ...record, timeMs: record.timeMs ?? (Number.isNaN(timeMs) ? null : timeMs) } };
  }
}

/** Errors of journalctl, such as a journal that this user may not read, are shown as they are. */
function start([program = '', ...args]: readonly string[]): {
  readonly journal: ChildProcess;
  readonly lines: Interface;
} {
  const journal = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: journal.stdout });
  // The program is not there: neither is a journal.
  journal.on('error', () => {
    lines.close();
  });
  return { journal, lines };
}

/** The journal has a message with unprintable characters as a list of its bytes. */
function messageOf({ MESSAGE: message }: JsonObject): string {
  if (typeof message === 'string') return message;
  return Array.isArray(message) ? Buffer.from(message.map(Number)).toString('utf8') : '';
}
