import { z } from 'zod';

/** `ferry whoami`: as `GET /api/whoami` has it. */
export const whoAmIShape = z.looseObject({
  account_id: z.string(),
  user: z
    .looseObject({ user_id: z.string(), email: z.string().nullish(), name: z.string().nullish() })
    .nullish()
    .describe('the person; null for a token that belongs to nobody in particular'),
  role: z.string().optional().describe('owner, admin or member'),
  credential: z.looseObject({ kind: z.string(), id: z.string(), name: z.string() }),
  service: z.looseObject({ name: z.string(), version: z.string() }),
});

export type WhoAmI = z.output<typeof whoAmIShape>;
