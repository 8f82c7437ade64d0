import { describe, expect, it } from '@jest/globals';
import { createTerminal } from './terminal.js';

const stream = (isTTY: boolean): { write: (text: string) => void; isTTY: boolean; text: string } => {
  const written = { text: '', isTTY, write: (text: string) => void (written.text += text) };
  return written;
};

describe('the terminal', () => {
  it('separates data on stdout from messages on stderr', () => {
    const [stdout, stderr] = [stream(false), stream(false)];
    const terminal = createTerminal(stdout, stderr, {});
    terminal.print('data');
    terminal.note('talk');
    expect([stdout.text, stderr.text]).toEqual(['data\n', 'talk\n']);
  });

  it('colours each stream only when that one is a terminal', () => {
    const terminal = createTerminal(stream(false), stream(true), {});
    expect(terminal).toMatchObject({ stdoutColors: false, stderrColors: true, interactive: true });
  });

  it.each([{ NO_COLOR: '1' }, { NO_COLOR: '0' }, { TERM: 'dumb' }])('the terminal has no colours with %p', (env) => {
    const terminal = createTerminal(stream(true), stream(true), env);
    expect(terminal).toMatchObject({ stdoutColors: false, stderrColors: false, interactive: false });
  });

  it('treats an empty NO_COLOR as unset', () => {
    expect(createTerminal(stream(true), stream(true), { NO_COLOR: '' }).stdoutColors).toBe(true);
  });
});
