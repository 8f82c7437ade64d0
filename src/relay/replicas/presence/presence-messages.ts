/** Replicas send each other these of their nodes. Nodes have small numbers, so that a change of many is a list of integers. */
import { z } from 'zod';
import type { AccountId, ClusterId, InstanceId, NodeId } from '../../../kernel/ids.js';
import { idText } from '../bus/id-text.js';
import type { Topic } from '../bus/message-bus.js';
import { MAX_LOADED_ENGINES } from './engine-loads.js';
import { availabilities } from './node-presence.js';

/** More nodes than this at one replica are not told to the others. */
export const MAX_NODES = 100_000;
/** About 100 KiB, and less than 1 MiB when all of their engines are loaded. */
export const NODES_PER_MESSAGE = 500;
/** Less than 400 KiB. */
export const LOADS_PER_MESSAGE = 10_000;

/** Replicas trust each other: the shape of ids was checked where they came from outside. */
const count = z.number().int().nonnegative();
/** Given by the replica at the node's first appearance, and never again. */
const numbers = z.array(count).max(MAX_NODES);

const nodeEntry = z.object({
  n: count,
  node: idText<NodeId>(),
  account: idText<AccountId>(),
  cluster: idText<ClusterId>(),
  epoch: count,
  availability: z.enum(availabilities),
  models: count,
  /** Engine, waiting and foreign requests, in turn. Absent: none, or of a replica of the version before. */
  loads: z
    .array(count)
    .max(3 * MAX_LOADED_ENGINES)
    .optional(),
});
export type NodeEntry = z.output<typeof nodeEntry>;

const heartbeat = z.object({
  instance: idText<InstanceId>(),
  /** The sequence number of the last delta before it. */
  sequence: count,
  nodes: count,
  digest: z.number().int(),
  state: z.enum(['serving', 'draining', 'stopped']),
  /** Nodes reach it alone at this address; absent: not configured. */
  link_address: z.string().max(2_048).optional(),
});
export type Heartbeat = z.output<typeof heartbeat>;

/** Applied in the order of its members. */
const delta = z.object({
  /** Grows by one with each delta of a replica, from 1. */
  sequence: count,
  down: numbers,
  /** New nodes, and those of which more than availability and models has changed. */
  up: z.array(nodeEntry).max(NODES_PER_MESSAGE),
  free: numbers,
  full: numbers,
  unavailable: numbers,
  /** Number and revision of the models, in turn. */
  models: z.array(count).max(2 * MAX_NODES),
  /** Number of the node, engine, waiting and foreign requests, in turn. Absent: of a replica of the version before. */
  loads: z
    .array(count)
    .max(4 * LOADS_PER_MESSAGE)
    .default([]),
});
export type Delta = z.output<typeof delta>;

/** All nodes after the delta with this sequence number. Parts are sent in order, without a delta between them. */
const snapshot = z.object({
  sequence: count,
  part: count,
  parts: count,
  nodes: z.array(nodeEntry).max(NODES_PER_MESSAGE),
});
export type Snapshot = z.output<typeof snapshot>;

const nothing = z.object({});

export const heartbeatTopic: Topic<Heartbeat> = { name: 'presence.heartbeat', payload: heartbeat };
export const deltaTopic: Topic<Delta> = { name: 'presence.delta', payload: delta };
export const snapshotTopic: Topic<Snapshot> = { name: 'presence.snapshot', payload: snapshot };
/** Asks one replica for a snapshot. */
export const snapshotRequestTopic: Topic<z.output<typeof nothing>> = {
  name: 'presence.snapshot_request',
  payload: nothing,
};
/** Asks all replicas for a heartbeat, after a start and after the bus was down. */
export const heartbeatRequestTopic: Topic<z.output<typeof nothing>> = {
  name: 'presence.heartbeat_request',
  payload: nothing,
};
