import type { ReplicaId } from '../../kernel/ids.js';

/** More replicas than this are not counted. */
const MAX_REPLICAS = 256;

/** Running requests of one key or account at other replicas. A replica that falls silent is forgotten. */
export class RunningElsewhere {
  private readonly replicas = new Map<ReplicaId, { readonly running: number; readonly untilMs: number }>();

  /** @returns the number of replicas with running requests */
  set(replica: ReplicaId, running: number, untilMs: number): number {
    if (running === 0) this.replicas.delete(replica);
    else if (this.replicas.has(replica) || this.replicas.size < MAX_REPLICAS)
      this.replicas.set(replica, { running, untilMs });
    return this.replicas.size;
  }

  count(nowMs: number): number {
    let count = 0;
    for (const [replica, { running, untilMs }] of this.replicas) {
      if (nowMs < untilMs) count += running;
      else this.replicas.delete(replica);
    }
    return count;
  }
}
