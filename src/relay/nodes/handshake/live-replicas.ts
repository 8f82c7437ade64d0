/** The replicas of this relay, as nodes are told of them: each node keeps links to several (docs/reference/link.md#several-links). */
export interface LiveReplicas {
  /** Replicas that run, this one included; at least 1. Where the others cannot be asked: the last known number. */
  count(): number;
  /** Returns the configured link addresses of the live replicas, this one's included. */
  linkAddresses(): readonly string[];
  /** How many have joined since the start. It shows that one has taken the place of another, which the number of them does not. */
  joins(): number;
}

/** Answers from a source that knows the other replicas; before it is set, this replica is the only one. */
export class ReplicaDirectory implements LiveReplicas {
  private source: LiveReplicas;

  constructor(ownLinkAddress: string | null) {
    const own = ownLinkAddress === null ? [] : [ownLinkAddress];
    this.source = { count: () => 1, linkAddresses: () => own, joins: () => 0 };
  }

  setSource(source: LiveReplicas): void {
    this.source = source;
  }

  count(): number {
    return this.source.count();
  }

  linkAddresses(): readonly string[] {
    return this.source.linkAddresses();
  }

  joins(): number {
    return this.source.joins();
  }
}
