import { z } from 'zod';

const withSource = z.strictObject({
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
    profile: withSource,
    base_url: withSource,
    token: withSource,
    api_key: withSource,
    data_dir: withSource,
    config_dir: withSource,
    output: withSource,
  }),
});

export type Status = z.output<typeof statusShape>;
export type SourcedValue = z.output<typeof withSource>;
