import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** `sysconf(_SC_CLK_TCK)` of all Linux systems that Node runs on. */
const TICKS_PER_SECOND = 100;
const PS_TIMEOUT_MS = 5_000;

interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  readonly cpuMs: number;
}

/** CPU time of a process and of all that it has started and that still run; undefined where the system does not tell, as on Windows. */
export function processTreeCpuMs(root: number): number | undefined {
  const times = process.platform === 'linux' ? timesOfProc() : timesOfPs();
  const own = times.find(({ pid }) => pid === root);
  if (own === undefined) return undefined;
  let sum = 0;
  // Each process once: ids may be reused while the list is read.
  const open = new Set([own]);
  for (const one of open) {
    sum += one.cpuMs;
    for (const other of times) if (other.parent === one.pid) open.add(other);
  }
  return sum;
}

function timesOfProc(): ProcessTime[] {
  const times: ProcessTime[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name in parentheses may contain anything: fields are counted behind the last one.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const cpuMs = ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
      times.push({ pid: Number(name), parent: Number(fields[1]), cpuMs });
    } catch {
      // It has ended meanwhile.
    }
  }
  return times;
}

/** macOS and BSD. */
function timesOfPs(): ProcessTime[] {
  try {
    const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,time='], { encoding: 'utf8', timeout: PS_TIMEOUT_MS });
    return text.split('\n').flatMap((line) => {
      const [, pid, parent, time] = /^\s*(\d+)\s+(\d+)\s+([\d:.-]+)\s*$/.exec(line) ?? [];
      return time === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), cpuMs: psTimeMs(time) }];
    });
  } catch {
    return [];
  }
}

/** @param text `[[dd-]hh:]mm:ss[.cc]` */
export function psTimeMs(text: string): number {
  const [days, rest] = text.includes('-') ? text.split('-') : ['0', text];
  const seconds = (rest ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return (Number(days) * 86_400 + seconds) * 1_000;
}
