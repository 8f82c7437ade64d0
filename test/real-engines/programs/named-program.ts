/** Programs that environment variables name. A spec without one is reported as skipped: nothing may pass without its program. */
import { describe, it } from '@jest/globals';

/** @param use declares the tests; called when the variable names a program */
export function withProgram(variable: string, what: string, use: (program: string) => void): void {
  const program = process.env[variable] ?? '';
  if (program !== '') {
    use(program);
    return;
  }
  describe.skip(`${what} (${variable} is not set)`, () => {
    it('behaves as an engine', () => {
      throw new Error('not run');
    });
  });
}
