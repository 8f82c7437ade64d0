import type { NodeId } from '../../../kernel/ids.js';
import type { StatusMessage } from '../../../link/messages.js';

type Engines = StatusMessage['engines'];

interface Facts {
  revision: number;
  /** The engines as of the revision. */
  engines: Engines;
}

const NO_ENGINES: Engines = [];

/**
 * Numbers for what other replicas ask for: a node's models, and its engines with their slots. They ask again when the number changes.
 * A number is never used twice, so that a node that comes back with other models is not taken for the one before.
 */
export class FactsRevisions {
  private readonly known = new Map<NodeId, Facts>();
  private last = 0;

  modelsChanged(nodeId: NodeId): void {
    const engines = this.known.get(nodeId)?.engines ?? NO_ENGINES;
    this.known.set(nodeId, { revision: this.next(), engines });
  }

  forget(nodeId: NodeId): void {
    this.known.delete(nodeId);
  }

  /** @param engines of the node's last STATUS. Counts of requests do not matter. */
  revisionOf(nodeId: NodeId, engines: Engines = NO_ENGINES): number {
    const facts = this.known.get(nodeId);
    if (facts === undefined) {
      if (engines.length === 0) return 0;
      const revision = this.next();
      this.known.set(nodeId, { revision, engines });
      return revision;
    }
    if (!areSame(facts.engines, engines)) facts.revision = this.next();
    facts.engines = engines;
    return facts.revision;
  }

  private next(): number {
    this.last += 1;
    return this.last;
  }
}

const areSame = (some: Engines, others: Engines): boolean =>
  some === others ||
  (some.length === others.length &&
    some.every((engine, index) => {
      const other = others[index];
      return (
        engine.name === other?.name &&
        engine.kind === other.kind &&
        engine.version === other.version &&
        engine.slots_total === other.slots_total
      );
    }));
