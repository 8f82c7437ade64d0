/** Whether the agent is a service, which starts again by itself with its computer or after a crash. */
import { readFileSync } from 'node:fs';
import type { Supervisor } from '../../link/messages.js';

/** As `ferry service install` names the jobs of launchd, which passes their names on to them. */
const LAUNCHD_JOB = 'dev.ferry.';

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Contents of `/proc/self/cgroup`; empty where there is none. */
  readonly cgroup: string;
}

/** undefined: none that is known. A shell below a service, such as a terminal of a desktop, is in a scope of its own. */
export function supervisorOf({ env, cgroup }: Surroundings): Supervisor | undefined {
  if (env['XPC_SERVICE_NAME']?.startsWith(LAUNCHD_JOB) === true) return 'launchd';
  const places = cgroup.trim().split('\n');
  return places.some((place) => place.endsWith('.service')) ? 'systemd' : undefined;
}

/** Of this process. */
export const ownSupervisor = (): Supervisor | undefined => supervisorOf({ env: process.env, cgroup: ownCgroup() });

function ownCgroup(): string {
  try {
    return readFileSync('/proc/self/cgroup', 'utf8');
  } catch {
    return '';
  }
}
