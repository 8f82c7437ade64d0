/** HELLO, READY, REPLICAS, STREAMS, GOAWAY: who is at the other end, and when a link ends. */
import { z } from 'zod';
import { count, milliseconds, shortText } from './fields.js';

const MAX_STREAMS = 1_024;
/** Nothing is announced so far: a later version may add to the core of version 1 (docs/internals/link-protocol.md#6-versions). */
const features = z.array(shortText).max(64);
const windowBytes = z
  .number()
  .int()
  .min(1)
  .max(16 * 1024 * 1024);

/** Upper bound of the links of one agent process to different replicas. */
export const MAX_LINKS = 8;
const linkAddress = z.string().min(1).max(500);

/** Replicas of the relay that accept nodes, and where nodes reach them one by one. */
export const replicasMessage = z.object({
  live: count.max(10_000),
  /** Empty: the public address is the only one. May be fewer than `live`. */
  link_addresses: z.array(linkAddress).max(64),
});
export type ReplicasMessage = z.output<typeof replicasMessage>;

/** The replica at the other end of a link. */
const replicaFacts = z.object({
  /** New at every start of the replica. */
  id: z.string().regex(/^rep_[0-9a-f]{32}$/),
  /** The entry of this replica in `link_addresses`; null: none is configured. */
  link_address: linkAddress.nullable(),
  /** Links that one node may keep, each to another replica. */
  max_links: z.number().int().min(1).max(MAX_LINKS),
});

export const engineFact = z.object({
  /** Unique on the node, e.g. `llamacpp` or `openai@127.0.0.1:8080`. */
  name: shortText,
  kind: shortText,
  version: shortText.nullable(),
});
export type EngineFact = z.output<typeof engineFact>;

export const supervisors = ['systemd', 'launchd'] as const;
export type Supervisor = (typeof supervisors)[number];

export const helloMessage = z.object({
  protocol_versions: z.array(count).min(1).max(16),
  agent_version: shortText,
  /**
   * Random per agent process: tells make-before-break (same process) from two machines with one identity
   * (docs/reference/link.md#superseding).
   */
  process_id: shortText,
  node_name: shortText,
  platform: shortText,
  engines: z.array(engineFact).max(64),
  /** What starts the agent again by itself. A later one is taken for none. Absent: none that is known. */
  supervisor: z.enum(supervisors).optional().catch(undefined),
  features,
});
export type HelloMessage = z.output<typeof helloMessage>;

export const readyMessage = z.object({
  protocol_version: z.literal(1),
  relay_version: shortText,
  epoch: count,
  relay_time_ms: milliseconds,
  limits: z.object({
    /** At most what one STREAMS message can list. */
    max_streams: z.number().int().min(1).max(MAX_STREAMS),
    /** Credit a stream starts with, per direction. */
    to_node_window_bytes: windowBytes,
    to_relay_window_bytes: windowBytes,
    /** Outstanding unread bytes towards the relay over all streams of the link. */
    max_outstanding_bytes: count.min(1),
  }),
  features,
  /** The account's present name for the node. */
  node_name: shortText,
  replica: replicaFacts,
  /** REPLICAS follows when it changes. */
  replicas: replicasMessage,
});
export type ReadyMessage = z.output<typeof readyMessage>;

export const streamsMessage = z.object({ streams: z.array(z.number().int().min(1).max(0xffffffff)).max(MAX_STREAMS) });

export const goAwayMessage = z.object({
  reason: z.enum(['draining', 'superseded', 'moved']),
  reconnect_in_ms: milliseconds,
  /** Sent by a relay: the replicas that stay. The node needs no new link when it has enough of them. */
  replicas: replicasMessage.optional(),
});
export type GoAwayMessage = z.output<typeof goAwayMessage>;
