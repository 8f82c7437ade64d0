/** Utilisation of all cores: near 1, latencies depend more on the machine than on the target. */
import { readFileSync } from 'node:fs';

export interface MachineTime {
  /** In clock ticks, over all cores. */
  readonly idle: number;
  readonly total: number;
}

export const CLOCK_TICKS_PER_SECOND = 100;

export function machineTime(): MachineTime {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  // user nice system idle iowait irq softirq steal; guest time is part of user.
  const fields = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { idle: (fields[3] ?? 0) + (fields[4] ?? 0), total: fields.reduce((sum, field) => sum + field, 0) };
}

/** 0 … 1 */
export const busyShare = (from: MachineTime, to: MachineTime): number =>
  1 - (to.idle - from.idle) / Math.max(1, to.total - from.total);

/**
 * Share of all cores that other programs used, 0 … 1. Counted in ticks of the machine: the number of cores that Node reports is that of the
 * cores on which this process may run.
 *
 * @param ownSeconds CPU time of all that belongs to the measurement
 */
export const foreignShare = (from: MachineTime, to: MachineTime, ownSeconds: number): number =>
  Math.max(0, busyShare(from, to) - (ownSeconds * CLOCK_TICKS_PER_SECOND) / Math.max(1, to.total - from.total));
