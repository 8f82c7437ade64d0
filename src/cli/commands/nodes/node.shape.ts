import { z } from 'zod';
import { nodeModelShape } from '../models/model.shape.js';

/** One row of `ferry nodes list`, as `GET /api/nodes` has it; `ferry nodes show` is one of them. */
export const nodeShape = z.looseObject({
  object: z.literal('node'),
  node_id: z.string(),
  name: z.string(),
  cluster_id: z.string(),
  status: z.string().describe('pending, active or revoked: whether it may connect'),
  online: z.boolean(),
  paused: z.boolean(),
  accepts_work: z.boolean().describe('false while it is offline, paused, draining or congested'),
  problem: z.string().nullable().describe('what stands in its way, for people'),
  fingerprint: z.string().describe('the fingerprint that the computer shows, as words'),
  last_seen: z.number().int().nullable().describe('seconds since 1970'),
  created: z.number().int(),
  platform: z.string(),
  agent_version: z.string(),
  round_trip_ms: z.number().nullable(),
  engines: z.array(
    z.looseObject({
      name: z.string(),
      kind: z.string(),
      version: z.string().nullable(),
      slots_total: z.number().int().nullable(),
      slots_used: z.number().int().nullable(),
      queue_depth: z.number().int().nullable(),
      problem: z.string().nullable().optional().describe('what keeps it from serving, for people'),
    }),
  ),
  models: z.array(nodeModelShape),
});

/** `ferry nodes join-token`. */
export const joinTokenShape = z.looseObject({
  join_token: z.string(),
  expires_at: z.number().int(),
  cluster_id: z.string(),
  command: z.string().describe('to run on the new computer, where Ferry is installed'),
  install_command: z.string().optional().describe('the same where it is not'),
  install_command_windows: z.string().optional(),
});

export type NodeRecord = z.output<typeof nodeShape>;
export type JoinToken = z.output<typeof joinTokenShape>;
