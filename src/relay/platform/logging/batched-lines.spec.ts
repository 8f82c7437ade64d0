import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BatchedLines, type LineDestination } from './batched-lines.js';

/** Holds what it was given until it is told that the system has taken it. */
class ManualDestination implements LineDestination {
  given = '';
  flushes = 0;
  flushedSync = 0;
  private readonly listeners: Record<'drain' | 'error', (() => void)[]> = { drain: [], error: [] };

  write(text: Buffer): void {
    this.given += text.toString();
  }
  flush(): void {
    this.flushes += 1;
  }
  flushSync(): void {
    this.flushedSync += 1;
  }
  on(event: 'drain' | 'error', listener: () => void): this {
    this.listeners[event].push(listener);
    return this;
  }
  emit(event: 'drain' | 'error'): void {
    for (const listener of this.listeners[event]) listener();
  }
}

let destination: ManualDestination;
let lines: BatchedLines;

beforeEach(() => {
  jest.useFakeTimers();
  destination = new ManualDestination();
  lines = new BatchedLines(destination);
});

afterEach(() => {
  jest.useRealTimers();
});

describe('lines of the log', () => {
  it('lines of the log wait for others, for a bounded time', () => {
    lines.writeLater('1\n');
    lines.writeLater('2\n');
    jest.advanceTimersByTime(99);
    expect(destination.flushes).toBe(0);
    jest.advanceTimersByTime(1);
    expect(destination).toMatchObject({ given: '1\n2\n', flushes: 1 });
  });

  it('lines of the log are written at once when many wait', () => {
    for (let line = 0; line < 7; line += 1) lines.writeLater('x'.repeat(10_000));
    expect(destination.flushes).toBe(1);
    expect(destination.given).toHaveLength(70_000);
  });

  it('lines of the log stay in order behind an urgent one, which takes them along', () => {
    lines.writeLater('1\n');
    lines.write('2\n');
    expect(destination).toMatchObject({ given: '1\n2\n', flushes: 1 });
    jest.advanceTimersByTime(1_000);
    expect(destination.flushes).toBe(1);
  });

  it('lines of the log are written one batch after the other, an urgent one right after the batch before it', () => {
    lines.write('1\n');
    lines.write('2\n');
    expect(destination.given).toBe('1\n');
    destination.emit('drain');
    expect(destination).toMatchObject({ given: '1\n2\n', flushes: 2 });
  });

  it('lines of the log are all handed over when the process ends, also during a write', () => {
    lines.write('1\n');
    lines.writeLater('2\n');
    lines.flushSync();
    expect(destination).toMatchObject({ given: '1\n2\n', flushedSync: 1 });
  });

  it('lines of the log go on after a failed write', () => {
    lines.write('1\n');
    destination.emit('error');
    lines.write('2\n');
    expect(destination.flushes).toBe(2);
  });

  it('lines of the log that a failed write left behind are not overwritten by later ones', () => {
    const kept: Buffer[] = [];
    jest.spyOn(destination, 'write').mockImplementation((bytes) => void kept.push(bytes));
    lines.write('first\n');
    destination.emit('error');
    lines.write('other\n');
    destination.emit('drain');
    lines.write('third\n');
    expect(kept.map(String)).toEqual(['first\n', 'other\n', 'third\n']);
  });

  it('lines of the log with characters of several bytes are complete, however many they are', () => {
    const many = '€'.repeat(40_000);
    for (let line = 0; line < 4; line += 1) {
      lines.write(`${many}${line}\n`);
      destination.emit('drain');
    }
    expect(destination.given).toBe([0, 1, 2, 3].map((line) => `${many}${line}\n`).join(''));
  });

  it('lines of the log beyond what memory may hold are dropped and counted', () => {
    lines.write('first\n');
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let line = 0; line < 10; line += 1) lines.write(megabyte);
    destination.emit('drain');
    expect(destination.given.match(/x/g)).toHaveLength(8 * 1024 * 1024);
    expect(destination.given).toContain('"lines":2,"msg":"log lines were dropped"');
  });
});
