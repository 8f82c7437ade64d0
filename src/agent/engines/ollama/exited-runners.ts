import type { ResidentModel } from './inventory.js';

/** Until Ollama has noted the end of the request that failed, which moves the expiry once more; and for clocks that are read at different times. */
const SETTLED_MS = 2_000;

const words =
  /\berror was encountered while running the model\b|\brunner (?:process )?(?:has )?(?:terminated|died|crashed)\b/i;

/** Whether the process of a model has ended in the middle of a request. */
export const reportsRunnerExit = (message: string): boolean => words.test(message);

interface RunnerExit {
  readonly atMs: number;
  /** The expiry after it; undefined until it is settled. */
  expiresAtMs: number | null | undefined;
}

/**
 * Runners that have died. Ollama goes on listing one in `/api/ps`, and starts it again for the next request, which must not load a model. One is
 * alive again when its expiry moves: somebody has used it since.
 */
export class ExitedRunners {
  /** Keyed by the name in `/api/ps`. */
  private readonly exits = new Map<string, RunnerExit>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  died(name: string): void {
    this.exits.set(name, { atMs: this.nowMs(), expiresAtMs: undefined });
  }

  loaded(name: string): void {
    this.exits.delete(name);
  }

  /** Returns the resident models without those whose runner has exited. */
  without(resident: readonly ResidentModel[]): readonly ResidentModel[] {
    if (this.exits.size === 0) return resident;
    for (const name of this.exits.keys()) if (!resident.some((model) => model.name === name)) this.exits.delete(name);
    return resident.filter((model) => !this.isDead(model));
  }

  private isDead({ name, expiresAtMs }: ResidentModel): boolean {
    const exit = this.exits.get(name);
    if (exit === undefined) return false;
    if (exit.expiresAtMs === undefined) {
      if (this.nowMs() - exit.atMs >= SETTLED_MS) exit.expiresAtMs = expiresAtMs;
      return true;
    }
    if (exit.expiresAtMs === null || expiresAtMs === null) return true;
    if (Math.abs(expiresAtMs - exit.expiresAtMs) <= SETTLED_MS) return true;
    this.exits.delete(name);
    return false;
  }
}
