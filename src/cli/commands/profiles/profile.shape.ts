import { z } from 'zod';

/** One row of `ferry profiles list`. */
export const profileShape = z.strictObject({
  name: z.string(),
  in_use: z.boolean().describe('the one that this command line means'),
  base_url: z.string().nullable().describe('null: the file cannot be read'),
  account_id: z.string().nullable(),
  api_key: z.boolean().describe('whether it keeps a key for ferry chat and ferry env'),
  file: z.string(),
});

export type Profile = z.output<typeof profileShape>;
