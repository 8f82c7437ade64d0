import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Retention } from './retention.js';

const EVERY_MS = 60_000;

/** A table with so many expired rows; each statement waits for `gate`. */
class Table extends Retention {
  readonly statements: number[] = [];
  gate: Promise<void> = Promise.resolve();

  constructor(public expired: number) {
    super({ context: 'Things', everyMs: EVERY_MS, failureMessage: 'things not pruned' });
  }

  protected override async pruneAll(): Promise<void> {
    await this.inBatches(async (rows) => {
      this.statements.push(rows);
      await this.gate;
      const deleted = Math.min(rows, this.expired);
      this.expired -= deleted;
      return deleted;
    });
  }
}

class BrokenTable extends Table {
  broken = true;

  protected override async pruneAll(): Promise<void> {
    if (this.broken) throw new Error('the database is gone');
    await super.pruneAll();
  }
}

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('retention', () => {
  it('deletes all expired rows, 5,000 in a statement', async () => {
    const table = new Table(12_001);
    await table.prune();
    expect(table).toMatchObject({ expired: 0, statements: [5_000, 5_000, 5_000] });
  });

  it('asks once more when the last statement was full', async () => {
    const table = new Table(5_000);
    await table.prune();
    expect(table).toMatchObject({ expired: 0, statements: [5_000, 5_000] });
  });

  it('runs at every interval while the application does, the first time after one', async () => {
    jest.useFakeTimers();
    const table = new Table(1);
    table.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(EVERY_MS - 1);
    expect(table.statements).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(1 + EVERY_MS);
    expect(table.statements).toHaveLength(2);
    await table.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10 * EVERY_MS);
    expect(table.statements).toHaveLength(2);
  });

  it('ends with the application after the statement that runs', async () => {
    jest.useFakeTimers();
    let open: () => void = () => undefined;
    const table = new Table(12_001);
    table.gate = new Promise((resolve) => {
      open = resolve;
    });
    table.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    const stopping = table.beforeApplicationShutdown();
    const stopped = jest.fn();
    void stopping.then(stopped);
    await jest.advanceTimersByTimeAsync(1);
    expect(stopped).not.toHaveBeenCalled();
    open();
    await stopping;
    expect(table).toMatchObject({ expired: 7_001, statements: [5_000] });
  });

  it('logs a failure and tries again at the next interval', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const table = new BrokenTable(3);
    await table.prune();
    expect(warn).toHaveBeenCalledWith('things not pruned', { error: 'Error: the database is gone' });
    table.broken = false;
    await table.prune();
    expect(table.expired).toBe(0);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
