/** COMMAND, PROGRESS, RESULT: operations on models. */
import { z } from 'zod';
import { count, longText, shortText } from './fields.js';

export const operationKinds = ['install', 'load', 'unload', 'remove'] as const;
export type OperationKind = (typeof operationKinds)[number];

/** Each code has a next step for the owner; the accompanying message names it. */
export const operationFailureCodes = [
  'unknown_model',
  'unknown_engine',
  'unsupported',
  'invalid_source',
  'model_busy',
  'disk_full',
  'out_of_memory',
  'network',
  'checksum_mismatch',
  'engine_error',
  'engine_unreachable',
  'too_many_operations',
  'internal',
] as const;
export type OperationFailureCode = (typeof operationFailureCodes)[number];

/** Made by the relay; the same id twice is the same operation, so a COMMAND may be repeated after a reconnect. */
const operationId = z.string().regex(/^op_[0-9a-f]{32}$/);

/**
 * An operation on a model. The node owns it: it continues while the link is down, and a node that knows the id reports its progress
 * instead of starting again.
 */
export const commandMessage = z.discriminatedUnion('verb', [
  z.object({
    verb: z.literal('install'),
    operation_id: operationId,
    /** Engine name on the node; null: the node's first engine that can install from such a source. */
    engine: shortText.nullable(),
    source: z.string().min(1).max(2_000),
    /** Loads the model afterwards, as part of the same operation. Absent: it does not. */
    load: z.boolean().optional(),
  }),
  z.object({
    verb: z.literal('load'),
    operation_id: operationId,
    model_key: z.string().min(1).max(600),
    context_tokens: z.number().int().min(1).max(10_000_000).nullable(),
  }),
  z.object({ verb: z.literal('unload'), operation_id: operationId, model_key: z.string().min(1).max(600) }),
  z.object({ verb: z.literal('remove'), operation_id: operationId, model_key: z.string().min(1).max(600) }),
  /** Stops an operation; its RESULT says `cancelled`, or what it had come to by then. */
  z.object({ verb: z.literal('cancel'), operation_id: operationId }),
]);
export type CommandMessage = z.output<typeof commandMessage>;

/** Sent on change, at most four a second per operation; and once for each live operation after every READY. */
export const progressMessage = z.object({
  operation_id: operationId,
  state: z.enum(['queued', 'running']),
  phase: shortText,
  completed_bytes: count.nullable(),
  total_bytes: count.nullable(),
});
export type ProgressMessage = z.output<typeof progressMessage>;

/** Terminal, and sent again after every READY while the node remembers the operation: the relay takes the first and ignores the rest. */
export const resultMessage = z.object({
  operation_id: operationId,
  outcome: z.enum(['succeeded', 'failed', 'cancelled']),
  failure: z.object({ code: z.enum(operationFailureCodes), message: longText }).nullable(),
  /** The model that it was about, as the inventory names it: after an install, the new one. */
  model_key: z.string().max(600).nullable(),
});
export type ResultMessage = z.output<typeof resultMessage>;
