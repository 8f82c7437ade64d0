/** So many at once, so many waiting; whoever comes after that is turned away at once. */
export class ConcurrencyLimiter {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(
    private readonly places: number,
    private readonly queue: number,
    private readonly refuse: () => Error,
  ) {}

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.places) this.#running += 1;
    else if (this.#waiting.length < this.queue) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else throw this.refuse();
    try {
      return await work();
    } finally {
      // The place is handed on without becoming free in between: nobody overtakes the queue.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
