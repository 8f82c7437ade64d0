import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lastLines, RotatingLog } from './rotating-log.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'ferry-log-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const write = (log: RotatingLog, text: string): void => {
  log.write(Buffer.from(text));
};

describe('the log of a child process', () => {
  it('appends to the log of an earlier start', () => {
    const file = path.join(directory, 'logs', 'relay.log');
    const first = new RotatingLog(file);
    write(first, 'one\n');
    first.close();
    const second = new RotatingLog(file);
    write(second, 'two\nthree\n');
    expect(lastLines(second.file, 2)).toEqual(['two', 'three']);
    expect(lastLines(second.file, 9)).toEqual(['one', 'two', 'three']);
    second.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('never takes more than twice its limit on disk', () => {
    const file = path.join(directory, 'relay.log');
    const log = new RotatingLog(file, 100);
    for (let line = 0; line < 50; line += 1) write(log, `line ${String(line).padStart(3, '0')}\n`);
    expect(statSync(file).size).toBeLessThanOrEqual(100);
    expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(100);
    expect(lastLines(log.file, 1)).toEqual(['line 049']);
    log.close();
  });

  it('rotates a full log at start', () => {
    const file = path.join(directory, 'relay.log');
    const first = new RotatingLog(file, 1_000);
    write(first, 'x'.repeat(900));
    first.close();
    const second = new RotatingLog(file, 100);
    write(second, 'new\n');
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    second.close();
  });

  it('tolerates write errors', () => {
    const log = new RotatingLog(path.join(directory, 'relay.log'), 10);
    rmSync(directory, { recursive: true });
    expect(() => {
      write(log, 'more than fits\n');
      write(log, 'and again\n');
    }).not.toThrow();
    expect(lastLines(log.file, 1)).toEqual([]);
  });
});
