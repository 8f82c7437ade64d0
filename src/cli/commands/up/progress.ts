import type { Terminal } from '../../core/output/terminal.js';

export type Progress = (step: string) => void;

/**
 * Prints steps on stderr: drawn on a terminal, plain lines otherwise.
 * Not Clack's spinner: it switches the keyboard to raw mode and exits on Ctrl-C by itself, without our drain.
 */
export async function createProgress(terminal: Terminal): Promise<Progress> {
  if (!terminal.interactive) return terminal.note;
  const { log } = await import('@clack/prompts');
  return (step) => {
    log.step(step, { output: process.stderr });
  };
}
