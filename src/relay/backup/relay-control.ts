/** Defines the requests of `ferry backup` to a running relay, over the local socket of its data directory (running-database.ts). */
import { z } from 'zod';

export const RELAY_CONTROL = 'relay-control';

export const CHECKPOINT_REQUEST = { request: 'checkpoint' } as const;

/** How long other statements of the relay have waited. */
export const checkpointResponse = z.object({ held_up_ms: z.number() });
export type CheckpointResponse = z.infer<typeof checkpointResponse>;
