/** A program under test in a process group of its own, so that what it starts ends with it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from '../../support/clock/eventually.js';
import { cpuSeconds } from '../../support/process/process-cpu.js';

const STOP_MS = 5_000;
const KEPT_CHARACTERS = 20_000;

export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** It is ready when this address answers with 200. */
  readonly readyAt: string;
  readonly startMs: number;
}

export class Program {
  private child!: ChildProcess;
  /** The end of what it printed. */
  private printed = '';
  private readonly onExit = (): void => {
    this.signal('SIGKILL');
  };

  private constructor(private readonly options: ProgramOptions) {}

  static async start(options: ProgramOptions): Promise<Program> {
    const program = new Program(options);
    process.once('exit', program.onExit);
    await program.restart();
    return program;
  }

  /** With the same arguments, so at the same port. */
  async restart(): Promise<void> {
    const { command, args, env, cwd, readyAt, startMs } = this.options;
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.child = child;
    const keep = (text: string): void => void (this.printed = (this.printed + text).slice(-KEPT_CHARACTERS));
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error));
    const ready = eventually(
      `${command} answers`,
      async () => {
        if (this.hasEnded) throw new Error(`it ended:\n${this.printed}`);
        return (await fetch(readyAt)).ok;
      },
      startMs,
    );
    await Promise.race([ready, failed]);
  }

  /** As a crash of the computer: nothing that it started goes on. */
  async kill(): Promise<void> {
    const others = this.children();
    await this.end('SIGKILL');
    for (const pid of others) send(pid, 'SIGKILL');
  }

  /** It and what it has started hang, until `goOn`. */
  hang(): void {
    this.signal('SIGSTOP');
  }

  goOn(): void {
    this.signal('SIGCONT');
  }

  async stop(): Promise<void> {
    const hard = setTimeout(() => this.signal('SIGKILL'), STOP_MS);
    await this.end('SIGTERM');
    clearTimeout(hard);
    // What it started and did not end.
    this.signal('SIGKILL');
    process.off('exit', this.onExit);
  }

  /** Processor time so far of it and of all that it has started (Linux). */
  cpuSeconds(): number {
    return this.family().reduce((sum, pid) => sum + cpuOf(pid), 0);
  }

  /** What it has started, so far as that runs. */
  children(): readonly number[] {
    return this.family().slice(1);
  }

  /** It, and what it has started, also in groups of their own. */
  private family(): number[] {
    const parents = new Map(
      readdirSync('/proc')
        .filter((entry) => /^\d+$/.test(entry))
        .map((entry) => [Number(entry), parentOf(entry)]),
    );
    const found = this.child.pid === undefined ? [] : [this.child.pid];
    for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
    return found;
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.hasEnded) return;
    const exited = once(this.child, 'exit');
    this.signal(signal);
    await exited;
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.child.pid !== undefined) send(-this.child.pid, signal);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function parentOf(pid: string): number {
  try {
    // After the name of the program: its state, and the parent.
    return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return 0;
  }
}

function cpuOf(pid: number): number {
  try {
    return cpuSeconds(pid);
  } catch {
    return 0;
  }
}
