import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Processor time that a process has used so far, all threads, in user and in system mode (Linux). */
export function cpuSeconds(pid: number): number {
  // After the name of the program, which may contain spaces: state, then numbers. `utime` and `stime` are fields 14 and 15 of the line.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
