import { describe, expect, it } from '@jest/globals';
import stringWidth from 'string-width';
import { transferDetail } from '../../core/output/quantities.js';
import { createTerminal, type Terminal } from '../../core/output/terminal.js';
import { createProgress, type Progress } from './progress.js';

/** What stands on stderr after these steps; on a terminal, what is left of each line. */
function shown(isTTY: boolean, work: (progress: Progress) => void, columns = 80): string {
  let text = '';
  const stream = { write: (chunk: string) => (text += chunk), isTTY };
  const terminal: Terminal = createTerminal(stream, stream, {});
  work(createProgress(terminal, stream.write, () => columns));
  return text.replaceAll(/[^\n]*\r\u001b\[2K/g, '').replaceAll(/\u001b\[\d+m/g, '');
}

const start = (progress: Progress): void => {
  progress.note('Ferry 1.2.3');
  progress.begin('relay');
  progress.begin('this computer');
  progress.begin('models');
  progress.done('model tiny');
  progress.end();
  progress.note('The node is down');
};

describe('the steps of a start', () => {
  it('the steps of a start are one line on a terminal, which ends before the next text', () => {
    expect(shown(true, start)).toBe('Ferry 1.2.3\n  ✓ relay   ✓ this computer   ✓ model tiny\nThe node is down\n');
  });

  it('the steps of a start show which one is running', () => {
    const running = shown(true, (progress) => {
      progress.begin('relay');
      progress.begin('this computer');
    });
    expect(running).toMatch(/^ {2}✓ relay {3}\S this computer$/);
  });

  it('the steps of a start have a bar with rate and time left where something is counted', () => {
    const running = shown(true, (progress) => {
      progress.begin('relay');
      progress.begin('built-in engine, once');
      progress.measure(0.42, transferDetail(46_000_000, 110_000_000, 3_100_000));
    });
    expect(running).toMatch(
      /^ {2}✓ relay\n {2}\S built-in engine, once {3}42% {2}46\.0\/110\.0 MB {2}3\.1 MB\/s {2}00:21 {2}━{4}╌{6}$/,
    );
    expect(stringWidth(running.split('\n')[1] ?? '')).toBeLessThan(80);
  });

  it.each([80, 40, 20])('never fill a line of %p columns, and none is lost', (columns) => {
    const text = shown(
      true,
      (progress) => {
        start(progress);
        progress.begin('built-in engine (about 115 MB from the npm registry, once)');
        progress.done('built-in engine');
        progress.begin('an engine with a name that fills more than the whole line of a terminal, whatever it does');
      },
      columns,
    );
    const lines = text.split('\n');
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThan(columns);
    expect(text.match(/✓ [^✓\n]*/g)?.map((step) => step.slice(2).trim())).toEqual([
      'relay',
      'this computer',
      'model tiny',
      'built-in engine',
    ]);
    if (columns > 20) expect(lines.at(-1)).toMatch(/ an engine with a name .*…$/);
  });

  it('the steps of a start are a line each in a pipe', () => {
    expect(shown(false, start)).toBe('Ferry 1.2.3\n  ✓ relay\n  ✓ this computer\n  ✓ model tiny\nThe node is down\n');
  });

  it('the steps of a start are not shown as done when they were interrupted', () => {
    const interrupted = shown(true, (progress) => {
      progress.begin('relay');
      progress.note('error');
      progress.end();
    });
    expect(interrupted).not.toContain('✓');
  });
});
