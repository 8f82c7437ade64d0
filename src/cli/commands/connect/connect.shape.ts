import { z } from 'zod';

/** `ferry connect`. */
export const connectedProgramShape = z.strictObject({
  object: z.literal('connected_program'),
  program: z.string(),
  base_url: z.string().describe('without /v1'),
  model: z.string(),
  key_id: z.string().nullable().describe('null with --print, which creates no key'),
  file: z.string().nullable().describe('null if the program has no configuration file; see `steps`'),
  backup: z.string().nullable().describe('backup of the previous file; null if there was none or nothing changed'),
  changed: z.boolean().describe('whether the file was written'),
  steps: z.array(z.string()).describe('remaining steps for the user'),
  test: z
    .strictObject({
      node: z.string().nullable(),
      output_tokens: z.number().int().nullable(),
      tokens_per_second: z.number().nullable(),
      request_id: z.string().nullable(),
    })
    .nullable()
    .describe('null with --print'),
});

export type ConnectedProgram = z.output<typeof connectedProgramShape>;
