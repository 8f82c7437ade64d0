import { z } from 'zod';
import { heldUpShape } from '../backup/held-up.js';

const rows = z.record(z.string(), z.number().int()).describe('rows by table');

export const storedAccountShape = z.object({
  object: z.literal('stored_account'),
  account_id: z.string(),
  name: z.string(),
  created: z.number().int().describe('seconds since 1970'),
  owners: z.array(z.string()).describe('e-mail addresses, at most five'),
  users: z.number().int(),
  nodes: z.number().int().describe('without revoked ones'),
  keys: z.number().int().describe('that work'),
  last_request: z.number().int().nullable().describe('seconds since 1970; null: none in the request log'),
});

export const accountExportShape = z.object({
  object: z.literal('account_export'),
  account_id: z.string(),
  name: z.string(),
  file: z.string(),
  bytes: z.number().int(),
  created_at: z.string(),
  held_up_ms: heldUpShape,
  rows,
});

export const deletedAccountShape = z.object({
  object: z.literal('deleted_account'),
  account_id: z.string(),
  name: z.string(),
  first_account_id: z.string().nullable().describe('the oldest account that is left'),
  rows,
});
