import type { StatusMessage } from '../../../link/messages.js';

/** Shared by all links without a problem, which nearly all are: an empty map of each would take some 180 bytes. */
const NONE: ReadonlyMap<string, number> = new Map();

/** Since when the engines of one link have been reported not to serve. A problem whose words change is still the same outage. */
export class ProblemTimes {
  private since = NONE;

  /** Keyed by engine name, in milliseconds since 1970. */
  get sinceMs(): ReadonlyMap<string, number> {
    return this.since;
  }

  note(engines: StatusMessage['engines'], nowMs: number): void {
    // The usual case, and it comes every second.
    if (this.since.size === 0 && engines.every(({ problem }) => problem == null)) return;
    const failing = engines.filter(({ problem }) => problem != null);
    this.since =
      failing.length === 0 ? NONE : new Map(failing.map(({ name }) => [name, this.since.get(name) ?? nowMs]));
  }

  /** Takes over the times of an older link of the same agent process. */
  inherit(older: ProblemTimes): void {
    this.since = older.since;
  }
}
