import { z } from 'zod';

const sourced = z.strictObject({
  value: z.string().nullable().describe('only the last four characters of a secret'),
  source: z.enum(['flag', 'environment', 'data directory', 'profile', 'default']),
  from: z.string().nullable().describe('name of the flag or variable, or path of the file'),
});

/** `ferry status`. */
export const statusShape = z.strictObject({
  object: z.literal('status'),
  relay: z.strictObject({
    reachable: z.boolean(),
    version: z.string().nullable(),
    problem: z.string().nullable().describe('why the relay cannot be used; null if it can'),
  }),
  signed_in: z.boolean(),
  account_id: z.string().nullable(),
  user: z.string().nullable(),
  role: z.string().nullable(),
  settings: z.strictObject({
    profile: sourced,
    base_url: sourced,
    token: sourced,
    api_key: sourced,
    data_dir: sourced,
    config_dir: sourced,
    output: sourced,
  }),
});

export type Status = z.output<typeof statusShape>;
export type SourcedValue = z.output<typeof sourced>;
