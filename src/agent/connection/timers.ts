/** Timers as a dependency, so that tests control time. */
export interface Timers {
  /** Calls `work` once after `ms`. @returns cancels it */
  after(ms: number, work: () => void): () => void;
}

export const systemTimers: Timers = {
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Waits for `work`, at most `ms`. Leaves no timer behind. */
export async function settledWithin(work: Promise<unknown>, ms: number, timers: Timers): Promise<void> {
  let cancel: () => void = () => undefined;
  const deadline = new Promise<void>((resolve) => {
    cancel = timers.after(ms, resolve);
  });
  try {
    await Promise.race([work, deadline]);
  } finally {
    cancel();
  }
}
