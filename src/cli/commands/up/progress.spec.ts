import { describe, expect, it } from '@jest/globals';
import { createTerminal, type Terminal } from '../../core/output/terminal.js';
import { createProgress, type Progress } from './progress.js';

/** What stands on stderr after these steps; on a terminal, what is left of each line. */
function shown(isTTY: boolean, work: (progress: Progress) => void): string {
  let text = '';
  const stream = { write: (piece: string) => (text += piece), isTTY };
  const terminal: Terminal = createTerminal(stream, stream, {});
  work(createProgress(terminal, stream.write));
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
  it('are one line on a terminal, which ends before the next text', () => {
    expect(shown(true, start)).toBe('Ferry 1.2.3\n  ✓ relay   ✓ this computer   ✓ model tiny\nThe node is down\n');
  });

  it('show which one is running', () => {
    const running = shown(true, (progress) => {
      progress.begin('relay');
      progress.begin('this computer');
    });
    expect(running).toMatch(/^ {2}✓ relay {3}\S this computer$/);
  });

  it('are a line each in a pipe', () => {
    expect(shown(false, start)).toBe('Ferry 1.2.3\n  ✓ relay\n  ✓ this computer\n  ✓ model tiny\nThe node is down\n');
  });

  it('are not shown as done when they were interrupted', () => {
    const interrupted = shown(true, (progress) => {
      progress.begin('relay');
      progress.note('error');
      progress.end();
    });
    expect(interrupted).not.toContain('✓');
  });
});
