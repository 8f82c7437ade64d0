import { z } from 'zod';

/** `ferry connect PROGRAM`. */
const connectedProgramShape = z.strictObject({
  object: z.literal('connected_program'),
  program: z.string(),
  base_url: z.string().describe('without /v1'),
  model: z.string(),
  context_tokens: z.number().int().nullable().describe('of the loaded model; null if its engine does not say it'),
  output_tokens: z.number().int().nullable().describe('longest answer that the program is told to ask for'),
  key_id: z.string().nullable().describe('null with --print, which creates no key'),
  requests_per_minute: z.number().int().nullable().describe('limit of the key; null for none, and with --print'),
  file: z.string().nullable().describe('null if the program has no configuration file; see `steps`'),
  backup: z.string().nullable().describe('backup of the previous file; null if there was none or nothing changed'),
  changed: z.boolean().describe('whether the file was written'),
  warnings: z.array(z.string()),
  extensions_off: z
    .array(z.string())
    .describe('extensions that the program would use, and that are off: `ferry extensions on`'),
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

/** One row of `ferry connect` without a program. */
const connectionShape = z.strictObject({
  object: z.literal('connection'),
  program: z.string(),
  base_url: z.string(),
  model: z.string(),
  context_tokens: z.number().int().nullable().describe('what the program was told'),
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  requests_per_minute: z.number().int().nullable(),
  connected: z.number().int().describe('seconds since 1970'),
  files: z.array(z.string()),
  state: z.enum(['current', 'outdated', 'file_missing', 'key_refused', 'unknown']),
  problem: z.string().nullable().describe('what differs; null if nothing does'),
});

/** `ferry connect --undo PROGRAM`. */
const disconnectedProgramShape = z.strictObject({
  object: z.literal('disconnected_program'),
  program: z.string(),
  files: z.array(z.string()).describe('files that were restored, or removed because there was none before'),
  key_id: z.string().nullable(),
  key_revoked: z.boolean(),
});

export const connectShape = z.union([
  connectedProgramShape,
  z.strictObject({ object: z.literal('list'), data: z.array(connectionShape) }),
  disconnectedProgramShape,
]);

export type ConnectedProgram = z.output<typeof connectedProgramShape>;
export type ConnectionRow = z.output<typeof connectionShape>;
export type DisconnectedProgram = z.output<typeof disconnectedProgramShape>;
