import { ModelStats } from './model-stats.js';
import { ratePriors } from './priors.js';

/**
 * Statistics of a model that nobody has observed, only to be read. The candidates of one decision have the same model and mostly the same
 * engine, so the last one is kept.
 */
export class UnobservedModel {
  private sizeBytes: number | null = null;
  private kind: string | null = null;
  private stats = new ModelStats(ratePriors(null, null));

  /** @param kind of the engine; null: unknown */
  of(sizeBytes: number | null, kind: string | null): ModelStats {
    if (sizeBytes !== this.sizeBytes || kind !== this.kind) {
      this.sizeBytes = sizeBytes;
      this.kind = kind;
      this.stats = new ModelStats(ratePriors(sizeBytes, kind));
    }
    return this.stats;
  }
}
