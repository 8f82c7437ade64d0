import { z } from 'zod';

const keyFields = {
  object: z.literal('api_key'),
  key_id: z.string(),
  name: z.string(),
  last4: z.string(),
  scopes: z.array(z.string()).describe('inference, models:read'),
  cluster_ids: z.array(z.string()).nullable().describe('null: all clusters of the account'),
  limits: z
    .looseObject({
      requests_per_minute: z.number().int().nullable(),
      tokens_per_minute: z.number().int().nullable(),
      concurrency: z.number().int().nullable(),
    })
    .describe('null: no limit of its own'),
  created_by: z.string().nullable(),
  created: z.number().int().describe('seconds since 1970'),
  expires: z.number().int().nullable().describe('null: never'),
  last_used: z.number().int().nullable(),
  revoked: z.number().int().nullable(),
};

/** One row of `ferry keys list`, as `GET /api/keys` has it. */
export const keyShape = z.looseObject(keyFields);

/** `ferry keys create`: the only time that the key is shown. */
export const createdKeyShape = z.looseObject({ ...keyFields, key: z.string(), warnings: z.array(z.string()) });

/** `ferry keys roll`. */
export const rolledKeyShape = z.looseObject({
  ...keyFields,
  key: z.string(),
  warnings: z.array(z.string()),
  previous: keyShape.describe('the old key, with the time when it stops to work'),
});

export type KeyRecord = z.output<typeof keyShape>;
export type CreatedKey = z.output<typeof createdKeyShape>;
export type RolledKey = z.output<typeof rolledKeyShape>;
