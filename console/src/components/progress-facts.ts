import type { Operation } from '../api/operation-state';
import { bytes, bytesPerSecond, clock, percent } from './format';

type Progress = Pick<Operation, 'completed_bytes' | 'total_bytes' | 'bytes_per_second'>;

/** Between 0 and 1; null: not known. */
export const shareOf = ({ completed_bytes: done, total_bytes: total }: Progress): number | null =>
  done !== null && total ? done / total : null;

/** "2.1 GB of 5.2 GB", "40%", "88 MB/s", "0:36 left": only what is known. */
export function progressFacts(progress: Progress): readonly string[] {
  const { completed_bytes: done, total_bytes: total, bytes_per_second: speed } = progress;
  const share = shareOf(progress);
  const left = total && done !== null && speed ? (total - done) / speed : null;
  return [
    ...(share === null ? [] : [`${bytes(done)} of ${bytes(total)}`, percent(share)]),
    ...(speed === null ? [] : [bytesPerSecond(speed)]),
    ...(left === null ? [] : [`${clock(left)} left`]),
  ];
}
