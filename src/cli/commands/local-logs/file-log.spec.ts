/** Reading log files from their end, and going on while they are written, replaced and cut off. */
import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileLog } from './file-log.js';
import type { LogLine } from './log-line.js';

let directory: string;
let file: string;
let log: FileLog;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-logs-'));
  file = path.join(directory, 'relay.log');
  log = new FileLog('relay', file);
});
afterEach(async () => {
  await log.close();
  await rm(directory, { recursive: true });
});

const line = (number: number, level = 30): string =>
  `${JSON.stringify({ level, time: number, msg: `line ${String(number)}` })}\n`;
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index)).join('');
const messages = (found: readonly LogLine[]): string[] => found.map(({ record }) => record.message);
const all = (): boolean => true;

describe('the last lines of a log', () => {
  it('the last lines of a log are those at its end, in order', async () => {
    await writeFile(file, lines(1, 5));
    expect(messages(await log.last(2, all))).toEqual(['line 4', 'line 5']);
    expect(messages(await log.last(9, all))).toHaveLength(5);
  });

  it('the last lines of a log are complete across block boundaries, also with multi-byte characters', async () => {
    const text = Array.from({ length: 4_000 }, (_, index) => `${String(index)} ${'ä€😀'.repeat(index % 40)}`);
    await writeFile(file, `${text.join('\n')}\n`);
    expect(messages(await log.last(4_000, all))).toEqual(text);
  });

  it('the last lines of a log include those of the previous file when the current one is too short', async () => {
    await writeFile(`${file}.1`, lines(1, 5));
    await writeFile(file, lines(6, 6));
    expect(messages(await log.last(3, all))).toEqual(['line 4', 'line 5', 'line 6']);
  });

  it('the last lines of a log are counted after filtering', async () => {
    await writeFile(file, `${line(1, 50)}${lines(2, 9)}${line(10, 50)}${lines(11, 19)}`);
    const found = await log.last(2, ({ level }) => level === 'error');
    expect(messages(found)).toEqual(['line 1', 'line 10']);
  });

  it('the last lines of a log without a time have that of the line before', async () => {
    await writeFile(file, `early\n${line(7)}Error: boom\n    at one\n`);
    const found = await log.last(9, all);
    expect(found.map(({ record }) => record.timeMs)).toEqual([null, 7, 7, 7]);
    expect((await log.last(1, all)).map(({ record }) => [record.message, record.timeMs])).toEqual([['    at one', 7]]);
  });

  it('an empty or missing file has no last lines', async () => {
    expect(await log.last(5, all)).toEqual([]);
    await writeFile(file, '');
    expect(await log.last(5, all)).toEqual([]);
  });

  it('the last lines of a log keep a bounded part of an endless line in memory', async () => {
    await writeFile(file, `${line(1)}${'x'.repeat(3_000_000)}\n${line(2)}`);
    const [first, long, last] = messages(await log.last(3, all));
    expect([first, last]).toEqual(['line 1', 'line 2']);
    expect(long?.length).toBeLessThanOrEqual(262_144);
  });
});

describe('new lines of a log', () => {
  it('new lines of a log are reported once, when they are complete', async () => {
    await writeFile(file, `${lines(1, 2)}{"level":30,`);
    expect(messages(await log.last(5, all))).toEqual(['line 1', 'line 2']);
    expect(await log.added()).toEqual([]);
    await appendFile(file, '"time":3,"msg":"line 3"}\nhalf');
    expect(messages(await log.added())).toEqual(['line 3']);
    await appendFile(file, ' a line\n');
    expect(messages(await log.added())).toEqual(['half a line']);
    expect(await log.added()).toEqual([]);
  });

  it('new lines of a log are complete when the file is replaced, and continue in the new one', async () => {
    await writeFile(file, lines(1, 1));
    await log.last(1, all);
    await appendFile(file, line(2));
    await rename(file, `${file}.1`);
    await writeFile(file, line(3));
    const found: string[] = [];
    for (let looks = 0; looks < 3; looks += 1) found.push(...messages(await log.added()));
    expect(found).toEqual(['line 2', 'line 3']);
  });

  it('new lines of a log are read from the beginning of a truncated file', async () => {
    await writeFile(file, lines(1, 9));
    await log.last(1, all);
    await truncate(file);
    expect(await log.added()).toEqual([]);
    await appendFile(file, line(10));
    expect(messages(await log.added())).toEqual(['line 10']);
  });

  it('new lines of a log are awaited when the file does not exist yet', async () => {
    await log.last(1, all);
    expect(await log.added()).toEqual([]);
    await writeFile(file, line(1));
    expect(messages(await log.added())).toEqual(['line 1']);
  });

  it('new lines of a log are read in chunks when there are many', async () => {
    await log.last(1, all);
    const count = 40_000;
    await writeFile(file, lines(1, count));
    const first = await log.added();
    expect(first.length).toBeLessThan(count);
    let total = first.length;
    for (let more = await log.added(); more.length > 0; more = await log.added()) total += more.length;
    expect(total).toBe(count);
  });
});
