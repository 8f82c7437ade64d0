import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of messages between two looks at the memory. */
const LOOK_EVERY_BYTES = 4 * 1024 * 1024;
/** Growth that is collected. V8 collects everything at 64 MiB, and the messages of one look take up to three times their size. */
const COLLECT_AT_BYTES = 24 * 1024 * 1024;

type CollectYoung = () => void;

/**
 * Frees the buffers of link messages in time. Each lives for one turn of the event loop, but outside of V8's heap, where it does not fill
 * the young generation: V8 notices only that memory has grown by 64 MiB, and then collects everything, old generation included. With large
 * answers that was twice a second and a quarter of the relay's CPU time. A collection of the young generation frees the same buffers in a
 * few milliseconds.
 */
export class YoungBuffers {
  private sinceLookBytes = 0;
  private leastBytes = Infinity;

  constructor(
    private readonly collect: CollectYoung = youngCollector(),
    private readonly memoryBytes: () => number = bufferBytes,
  ) {}

  /** A message of this size has been handled. */
  passed(bytes: number): void {
    this.sinceLookBytes += bytes;
    if (this.sinceLookBytes >= LOOK_EVERY_BYTES) this.look();
  }

  private look(): void {
    this.sinceLookBytes = 0;
    const bytes = this.memoryBytes();
    // Less than before: V8 has collected by itself.
    this.leastBytes = Math.min(this.leastBytes, bytes);
    if (bytes - this.leastBytes < COLLECT_AT_BYTES) return;
    this.collect();
    // The rest is in use or old; only further growth is worth another collection.
    this.leastBytes = this.memoryBytes();
  }
}

const bufferBytes = (): number => getHeapStatistics().external_memory;

/** V8 gives its collector to contexts that are created while the flag is set. */
function youngCollector(): CollectYoung {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  setFlagsFromString('--no-expose-gc');
  return () => {
    collect({ type: 'minor' });
  };
}
