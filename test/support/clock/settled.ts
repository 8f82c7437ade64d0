/** Resolves after the promise callbacks that are pending now. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
