/** Utilisation of all cores: near 1, latencies depend more on the machine than on the target. */
import { readFileSync } from 'node:fs';

export interface MachineTime {
  readonly idle: number;
  readonly total: number;
}

export function machineTime(): MachineTime {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  // user nice system idle iowait irq softirq steal; guest time is part of user.
  const fields = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { idle: (fields[3] ?? 0) + (fields[4] ?? 0), total: fields.reduce((sum, field) => sum + field, 0) };
}

/** 0 … 1 */
export const busyShare = (from: MachineTime, to: MachineTime): number =>
  1 - (to.idle - from.idle) / Math.max(1, to.total - from.total);
