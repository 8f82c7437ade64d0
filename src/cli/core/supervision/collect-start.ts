import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 20_000;
/** Share of the time between two checks. A service that uses more CPU serves requests, which must not wait for a collection. */
const QUIET_SHARE = 0.02;

/**
 * Frees once what the start has left in the heap, as soon as the process has been quiet for 20 s. V8 would wait until the heap grows, which
 * that of an idle service never does.
 * @returns stops looking
 */
export function collectOnceQuiet(collect: () => void = collectAll, busyShare = busyShareSinceLastCall()): () => void {
  busyShare();
  const looks = setInterval(() => {
    if (busyShare() > QUIET_SHARE) return;
    clearInterval(looks);
    collect();
  }, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(looks);
  };
}

function busyShareSinceLastCall(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const before = last;
    last = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(last, before).utilization;
  };
}

/** V8 gives its collector to contexts that are created while the flag is set. */
function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('globalThis.gc') as (() => void) | undefined;
  setFlagsFromString('--no-expose-gc');
  collect?.();
}
