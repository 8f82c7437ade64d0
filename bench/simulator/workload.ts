/** A simulated workload: a fleet and its conversations. Committed as files, so that tuning a policy cannot change its test. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const simulatedNode = z.object({
  name: z.string(),
  slots: z.number().int().min(1),
  /** Speed of one request that runs alone. */
  prefillTokensPerSecond: z.number().positive(),
  decodeTokensPerSecond: z.number().positive(),
  /** Slow-down by each further request. 1: two requests share the speed of one. 0: no slow-down. */
  contention: z.number().min(0),
  roundTripMs: z.number().min(0),
  /** Of a `batching` engine: prompt tokens in one step, and tokens that fit its KV cache. */
  chunkTokens: z.number().int().min(1).default(512),
  kvTokens: z.number().int().min(1).default(65_536),
  /** Number of conversations whose prompt the engine caches. */
  cachedPrompts: z.number().int().min(0),
  contextTokens: z.number().int().positive().nullable(),
  /** From this time on it accepts requests and never responds, while its link stays healthy. */
  wedgesAtMs: z.number().min(0).optional(),
  /** So many equal ones, with numbers behind the name. */
  count: z.number().int().min(1).optional(),
});
export type NodeSpecification = z.output<typeof simulatedNode>;

const length = z.object({ median: z.number().positive(), sigma: z.number().min(0) });

const traffic = z.object({
  key: z.string(),
  /** Independent conversations; one with a single turn is a single request. */
  conversationsPerMinute: z.number().positive(),
  turns: z.object({ min: z.number().int().min(1), max: z.number().int().min(1) }),
  /** Prefix that all conversations of this traffic share: the system prompt and the tools of an agent. */
  systemTokens: z.number().int().min(0),
  userTokens: length,
  outputTokens: length,
  /** Pause between a response and the next request of the conversation. */
  thinkMs: length,
  /** The client sends `max_tokens`. */
  saysMaximum: z.boolean(),
  /** The client sends a session id in a header. */
  saysSession: z.boolean(),
  /** Number of conversations that start together. */
  burst: z.number().int().min(1).default(1),
});
export type Traffic = z.output<typeof traffic>;

const workload = z.object({
  name: z.string(),
  title: z.string(),
  /** No conversations start after this time; those that have started continue to their end. */
  durationMs: z.number().positive(),
  /** Client timeout for the complete response. */
  patienceMs: z.number().positive(),
  /** Client timeout for the first byte. */
  firstEventPatienceMs: z.number().positive(),
  queueTimeoutMs: z.number().min(0),
  /** `sharing`: requests share a speed, as the relay's cost model assumes. `batching`: steps, chunks and a limited KV cache. */
  engine: z.enum(['sharing', 'batching']).default('sharing'),
  /** Only the first seeds, where each takes long. */
  seeds: z.number().int().min(1).optional(),
  fleet: z
    .array(simulatedNode)
    .min(1)
    .transform((nodes) =>
      nodes.flatMap(({ count, ...node }) =>
        count === undefined
          ? [node]
          : Array.from({ length: count }, (_none, index) => ({ ...node, name: `${node.name}-${index + 1}` })),
      ),
    ),
  traffic: z.array(traffic),
});
export type Workload = z.output<typeof workload>;

const conversation = z.object({
  atMs: z.number().min(0),
  key: z.string(),
  /** Conversations of the same group start with the same `systemTokens`. */
  group: z.string(),
  systemTokens: z.number().int().min(0),
  saysSession: z.boolean(),
  turns: z
    .array(
      z.object({
        /** The whole prompt: system, history and the new message. */
        promptTokens: z.number().int().min(1),
        outputTokens: z.number().int().min(1),
        maxTokens: z.number().int().min(1).nullable(),
        bodyBytes: z.number().int().min(1),
        thinkMs: z.number().min(0),
      }),
    )
    .min(1),
});
export type Conversation = z.output<typeof conversation>;
export type Turn = Conversation['turns'][number];

const folder = fileURLToPath(new URL('workloads', import.meta.url));

export const parseWorkload = (json: string): Workload => workload.parse(JSON.parse(json));

/** All committed workloads by name. */
export const committedWorkloads = (): Workload[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json') && file !== 'seeds.json')
    .sort()
    .map((file) => parseWorkload(readFileSync(path.join(folder, file), 'utf8')));

export const committedSeeds = (): number[] =>
  z.array(z.number().int()).parse(JSON.parse(readFileSync(path.join(folder, 'seeds.json'), 'utf8')));

/** Reads one conversation per line, as JSON. @throws ZodError */
export const parseRecording = (lines: string): Conversation[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => conversation.parse(JSON.parse(line)));
