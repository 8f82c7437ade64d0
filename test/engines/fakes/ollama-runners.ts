/** The runners of the fake Ollama: one per blob, restarted when a request asks for another one, gone when its time is over. */
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface RunnerOptions {
  readonly contextTokens: number;
  readonly shift: boolean;
  /** Seconds, a duration such as `30m`, or a negative number for ever. */
  readonly keepAlive: string | number;
}

interface Runner {
  readonly name: string;
  readonly contextTokens: number;
  readonly shift: boolean;
  dead?: boolean;
  keepAliveMs: number;
  expiresAtMs: number;
  timer?: NodeJS.Timeout;
}

/** The server's defaults, for requests that do not say. */
export const DEFAULT_CONTEXT_TOKENS = 4_096;
const DEFAULT_KEEP_ALIVE = '5m';
const FOR_EVER_MS = 292 * 365 * 86_400_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const FIRST_THAT_COMPARES_SHIFT = 30;
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

export class Runners {
  private readonly byBlob = new Map<string, Runner>();
  private readonly comparesShift: boolean;
  /** Requests that wait for a slot of a runner, and those that have one, by blob. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly running = new Map<string, number>();

  constructor(
    version: string,
    private readonly restartMs: number,
  ) {
    this.comparesShift = Number(version.split('.')[1]) >= FIRST_THAT_COMPARES_SHIFT;
  }

  list(): readonly { readonly name: string; readonly contextTokens: number; readonly expiresAt: string }[] {
    return Array.from(this.byBlob.values(), ({ name, contextTokens, expiresAtMs }) => ({
      name,
      contextTokens,
      expiresAt: new Date(expiresAtMs).toISOString(),
    }));
  }

  /** Whether the runner that is there serves such a request. */
  fits(blob: string, { contextTokens = DEFAULT_CONTEXT_TOKENS, shift = true }: Partial<RunnerOptions>): boolean {
    const runner = this.byBlob.get(blob);
    if (runner === undefined || runner.dead === true || runner.contextTokens !== contextTokens) return false;
    return !this.comparesShift || runner.shift === shift;
  }

  enter(blob: string, name: string, options: Partial<RunnerOptions>): void {
    this.evict(blob);
    const { contextTokens = DEFAULT_CONTEXT_TOKENS, shift = true, keepAlive = DEFAULT_KEEP_ALIVE } = options;
    this.byBlob.set(blob, { name, contextTokens, shift, keepAliveMs: 0, expiresAtMs: 0 });
    this.keep(blob, keepAlive);
  }

  /** A request has used it. @param keepAlive absent: as before */
  keep(blob: string, keepAlive: string | number | undefined): void {
    const runner = this.byBlob.get(blob);
    if (runner === undefined) return;
    if (keepAlive !== undefined) runner.keepAliveMs = durationMs(keepAlive);
    runner.expiresAtMs = Date.now() + runner.keepAliveMs;
    clearTimeout(runner.timer);
    if (runner.keepAliveMs > LONGEST_TIMER_MS) return;
    runner.timer = setTimeout(() => {
      this.evict(blob);
    }, runner.keepAliveMs);
    runner.timer.unref();
  }

  /** Resolves when the request may run; it leaves its slot when the response is closed. */
  async slotOf(blob: string, parallel: number, response: ServerResponse): Promise<void> {
    const queue = this.waiting.get(blob) ?? [];
    this.waiting.set(blob, queue);
    const running = (): number => this.running.get(blob) ?? 0;
    if (running() >= parallel) await new Promise<void>((resolve) => queue.push(resolve));
    this.running.set(blob, running() + 1);
    const leave = (): void => {
      this.running.set(blob, running() - 1);
      queue.shift()?.();
    };
    if (response.destroyed) leave();
    else response.once('close', leave);
  }

  /** Its process ends; the list keeps it. */
  kill(blob: string): void {
    const runner = this.byBlob.get(blob);
    if (runner !== undefined) runner.dead = true;
  }

  /** Makes room for its successor. */
  async leave(blob: string): Promise<void> {
    if (!this.byBlob.has(blob)) return;
    this.evict(blob);
    await delay(this.restartMs);
  }

  evict(blob: string): void {
    clearTimeout(this.byBlob.get(blob)?.timer);
    this.byBlob.delete(blob);
  }

  clear(): void {
    for (const blob of this.byBlob.keys()) this.evict(blob);
  }

  expiresInMs(blob: string): number | undefined {
    const runner = this.byBlob.get(blob);
    return runner && runner.expiresAtMs - Date.now();
  }
}

function durationMs(keepAlive: string | number): number {
  if (typeof keepAlive === 'number') return keepAlive < 0 ? FOR_EVER_MS : keepAlive * 1_000;
  let total = 0;
  for (const [, count, unit = 's'] of keepAlive.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    total += Number(count) * (unitMs[unit] ?? 0);
  }
  return total;
}
