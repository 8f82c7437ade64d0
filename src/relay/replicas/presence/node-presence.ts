/** Replicas send each other this of a node. */
import { fnvNumber, fnvText } from '../../../kernel/fnv-hash.js';
import type { AccountId, ClusterId, NodeId } from '../../../kernel/ids.js';

export const availabilities = [
  /** Takes requests now. */
  'free',
  /** All slots of all engines are in use. */
  'full',
  /** Paused, draining, without an engine, or too slow to take bytes. */
  'unavailable',
] as const;
export type Availability = (typeof availabilities)[number];

export interface NodePresence {
  readonly nodeId: NodeId;
  readonly accountId: AccountId;
  readonly clusterId: ClusterId;
  /** Belongs to the node's link to the sending replica. */
  readonly epoch: number;
  readonly availability: Availability;
  /** Changes with the node's models, and with its engines and their slots; these themselves are asked for. */
  readonly modelsRevision: number;
}

/**
 * 32 bits of one node. The digest of a replica is the XOR over its nodes: independent of the order, and a change costs two of these. It finds
 * faults of this program, not of an attacker. The load of engines is no part of it: replicas of the version before drop it.
 * @param number the node's number at its replica
 */
export function digestOf(number: number, node: NodePresence): number {
  let hash = fnvText(node.nodeId);
  for (const value of [number, node.epoch, node.modelsRevision, availabilities.indexOf(node.availability)])
    hash = fnvNumber(value, hash);
  return hash;
}
