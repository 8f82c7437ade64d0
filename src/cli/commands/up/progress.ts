import type { Terminal } from '../../core/output/terminal.js';

export type Progress = (step: string) => void;

/**
 * Steps on stderr: drawn for a person who watches, plain lines otherwise.
 * Clack's spinner is not used: it puts the keyboard into raw mode and answers Ctrl-C with an exit of its own, past our drain.
 */
export async function createProgress(terminal: Terminal): Promise<Progress> {
  if (!terminal.interactive) return terminal.note;
  const { log } = await import('@clack/prompts');
  return (step) => {
    log.step(step, { output: process.stderr });
  };
}
