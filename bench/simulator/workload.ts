/** What is simulated: a fleet, and the conversations that are held with it. Committed as files, so that a choice can be tuned but not its examination. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const simulatedNode = z.object({
  name: z.string(),
  slots: z.number().int().min(1),
  /** Of one request that has the node to itself. */
  prefillTokensPerSecond: z.number().positive(),
  decodeTokensPerSecond: z.number().positive(),
  /** How much each further request slows the others: at 1, two requests share the speed of one; at 0 they do not feel each other. */
  contention: z.number().min(0),
  roundTripMs: z.number().min(0),
  /** Conversations whose prompt the engine keeps; 0: it keeps none. */
  cachedPrompts: z.number().int().min(0),
  contextTokens: z.number().int().positive().nullable(),
  /** From then on it takes requests and never answers, while its link looks healthy. */
  wedgesAtMs: z.number().min(0).optional(),
});
export type NodeSpecification = z.output<typeof simulatedNode>;

const length = z.object({ median: z.number().positive(), sigma: z.number().min(0) });

const traffic = z.object({
  key: z.string(),
  /** Independent conversations; a conversation of one turn is a single request. */
  conversationsPerMinute: z.number().positive(),
  turns: z.object({ min: z.number().int().min(1), max: z.number().int().min(1) }),
  /** Shared by all conversations of this traffic: the system prompt and the tools of an agent. */
  systemTokens: z.number().int().min(0),
  userTokens: length,
  outputTokens: length,
  /** Between an answer and the next question of the same conversation. */
  thinkMs: length,
  /** The client says `max_tokens`. */
  saysMaximum: z.boolean(),
  /** The client names its session in a header. */
  saysSession: z.boolean(),
  /** Conversations begin in groups of so many at once. */
  burst: z.number().int().min(1).default(1),
});
export type Traffic = z.output<typeof traffic>;

const workload = z.object({
  name: z.string(),
  title: z.string(),
  /** New conversations begin until then; those that have begun are held to their end. */
  durationMs: z.number().positive(),
  /** A client that has not got its whole answer by then gives up. */
  patienceMs: z.number().positive(),
  /** A client that has seen nothing by then gives up. */
  firstEventPatienceMs: z.number().positive(),
  queueTimeoutMs: z.number().min(0),
  fleet: z.array(simulatedNode).min(1),
  traffic: z.array(traffic),
});
export type Workload = z.output<typeof workload>;

const conversation = z.object({
  atMs: z.number().min(0),
  key: z.string(),
  /** Conversations with the same group begin with the same `systemTokens`. */
  group: z.string(),
  systemTokens: z.number().int().min(0),
  saysSession: z.boolean(),
  turns: z
    .array(
      z.object({
        /** All of the prompt: system, history and the new question. */
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

/** All that are committed, by name. */
export const committedWorkloads = (): Workload[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json') && file !== 'seeds.json')
    .sort()
    .map((file) => parseWorkload(readFileSync(path.join(folder, file), 'utf8')));

export const committedSeeds = (): number[] =>
  z.array(z.number().int()).parse(JSON.parse(readFileSync(path.join(folder, 'seeds.json'), 'utf8')));

/** One conversation per line, as JSON. @throws ZodError */
export const parseRecording = (lines: string): Conversation[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => conversation.parse(JSON.parse(line)));
