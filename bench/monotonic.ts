/** Microseconds of the clock that all processes of one machine share (CLOCK_MONOTONIC), so that a stamp made in one can be read in another. */
export const monotonicMicros = (): number => Number(process.hrtime.bigint() / 1_000n);
