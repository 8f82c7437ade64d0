/** How often the system let threads of a process run again that had waited (Linux `/proc`). */
import { readdirSync, readFileSync } from 'node:fs';

/** Since the start of the process, by each of its threads; those that have ended are not in it. */
export function wakeUpsOf(pid: number): number {
  let count = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
      count += Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
    } catch {
      // It has ended since the list was read.
    }
  }
  return count;
}
