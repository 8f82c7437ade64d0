import { readFileSync } from 'node:fs';

/** Resident memory of a process as reported by the operating system, in bytes (Linux). */
export function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (line?.[1] === undefined) throw new Error(`no resident memory of process ${pid}`);
  return Number(line[1]) * 1_024;
}

/** What only this process holds, in bytes (Linux). */
export function privateBytes(pid: number): number {
  const lines = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm);
  return [...lines].reduce((sum, [, kib]) => sum + Number(kib) * 1_024, 0);
}

/** Process ids (Linux). */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
