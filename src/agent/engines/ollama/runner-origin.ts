import type { ResidentModel } from './inventory.js';

/** Ollama keeps a runner this long that a request without `keep_alive` starts, unless its server is set otherwise. */
const OLLAMAS_KEEP_ALIVE_MS = 5 * 60 * 1_000;
/** Clocks are read at different times. */
const SLACK_MS = 2_000;

/**
 * Tells runners that Ferry has loaded from those of other programs, by their expiry. Ollama does not say how a runner was started, and restarts
 * it for a request that asks for another `shift`: two programs that ask for different ones would restart it in turns. A restart by another
 * program sets the expiry to five minutes from then.
 */
export class RunnerOrigin {
  /** Expiry as last seen of the runners that this process has loaded, by name. */
  private readonly loads = new Map<string, number>();
  private readonly keepAliveMs: number;

  /** @param keepAlive of loads through Ferry */
  constructor(
    keepAlive: string | number,
    private readonly nowMs: () => number = Date.now,
  ) {
    this.keepAliveMs = durationMs(keepAlive);
  }

  /** This process has just loaded it. */
  loaded({ name, expiresAtMs }: ResidentModel): void {
    if (expiresAtMs !== null) this.loads.set(name, expiresAtMs);
  }

  /** Takes notice of what is in memory now. An expiry that comes nearer, or is too far away, is that of another runner. */
  see(resident: readonly ResidentModel[]): void {
    for (const [name, before] of this.loads) {
      const expiresAtMs = resident.find((model) => model.name === name)?.expiresAtMs ?? null;
      if (expiresAtMs === null || expiresAtMs < before - SLACK_MS || !this.isPossible(expiresAtMs)) {
        this.loads.delete(name);
      } else {
        this.loads.set(name, expiresAtMs);
      }
    }
  }

  /** A load by an earlier process of this node counts, too, as far as its expiry is longer than Ollama's own. */
  isFerrys({ name, expiresAtMs }: ResidentModel): boolean {
    if (expiresAtMs === null || this.loads.has(name)) return true;
    return this.isPossible(expiresAtMs) && expiresAtMs - this.nowMs() > OLLAMAS_KEEP_ALIVE_MS + SLACK_MS;
  }

  private isPossible(expiresAtMs: number): boolean {
    return expiresAtMs - this.nowMs() <= this.keepAliveMs + SLACK_MS;
  }
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Infinite for a negative one. */
function durationMs(keepAlive: string | number): number {
  if (typeof keepAlive === 'number') return keepAlive < 0 ? Number.POSITIVE_INFINITY : keepAlive * 1_000;
  let total = 0;
  for (const [, count, unit = 's'] of keepAlive.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    total += Number(count) * (unitMs[unit] ?? 0);
  }
  return total;
}
