import { readFileSync } from 'node:fs';

/** Resident memory of a process as reported by the operating system, in bytes (Linux). */
export function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (line?.[1] === undefined) throw new Error(`no resident memory of process ${pid}`);
  return Number(line[1]) * 1_024;
}
