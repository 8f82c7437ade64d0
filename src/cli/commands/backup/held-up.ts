import { z } from 'zod';

/** Shared by the commands that read the database of a running relay. */
export const heldUpShape = z
  .number()
  .int()
  .nullable()
  .describe('how long statements of a running relay waited for the embedded database; null: none did');

export const describeHeldUp = (heldUpMs: number): string =>
  `  relay       went on; its database was held up for ${String(heldUpMs)} ms`;
