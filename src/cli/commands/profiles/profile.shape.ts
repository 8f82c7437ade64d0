import { z } from 'zod';

/** One row of `ferry profiles list`. */
export const profileShape = z.strictObject({
  name: z.string(),
  in_use: z.boolean().describe('whether commands use this profile'),
  base_url: z.string().nullable().describe('null if the file cannot be read'),
  account_id: z.string().nullable(),
  api_key: z.boolean().describe('whether an API key for ferry chat and ferry env is stored'),
  file: z.string(),
});

export type Profile = z.output<typeof profileShape>;
