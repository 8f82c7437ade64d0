/** Token of {@link LiveReplicas}: nodes are told of the other replicas, and are below the feature that knows them. */
export const LIVE_REPLICAS = Symbol('ferry.live-replicas');

/** The replicas of this relay, as nodes are told of them: each node keeps links to several (docs/reference/link.md#several-links). */
export interface LiveReplicas {
  /** Replicas that run, this one included; at least 1. Where the others cannot be asked: the last known number. */
  count(): number;
  /** Returns the configured link addresses of the live replicas, this one's included. */
  linkAddresses(): readonly string[];
  /** How many have joined since the start. It shows that one has taken the place of another, which the number of them does not. */
  joins(): number;
}
