import { z } from 'zod';
import { heldUpShape } from './held-up.js';

const rows = z.record(z.string(), z.number().int()).describe('rows by table');

export const backupShape = z.object({
  object: z.literal('backup'),
  file: z.string(),
  bytes: z.number().int(),
  created_at: z.string(),
  schema: z.string().describe('the last migration of the database'),
  with_secret: z.boolean(),
  held_up_ms: heldUpShape,
  rows,
});

export const restoreShape = z.object({
  object: z.literal('restore'),
  file: z.string(),
  created_at: z.string().describe('when the backup was taken'),
  secret: z.enum(['restored', 'same', 'absent', 'different']),
  rows,
});

export const databaseMoveShape = z.object({
  object: z.literal('database_move'),
  data_dir: z.string().describe('of the relay; its old database is still there'),
  rows,
});
