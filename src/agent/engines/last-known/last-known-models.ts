import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../../kernel/clock.js';
import { modelReport } from '../../../link/messages.js';
import { StateFile } from '../../state-file.js';
import type { EngineModel } from '../engine.js';

/** Limit of engines per node; further records of the file are ignored. */
const MAX_ENGINES = 64;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Precision of the saved time of the last response, as a fraction of the maximum age, so that not every probe writes the file. */
const SAVES_PER_AGE = 24;

/** Kind and address of a discovered engine: enough to create it again. */
export interface FoundEngine {
  /** As the fingerprint has it. */
  readonly kind: string;
  readonly url: string;
}

export interface FoundBefore extends FoundEngine {
  /** How many models it had. */
  readonly models: number;
}

interface Remembered {
  readonly models: readonly EngineModel[];
  readonly found: FoundEngine | null;
  /** Unix ms. */
  answeredAtMs: number;
}

const engineRecord = z.object({
  name: z.string().min(1).max(200),
  found: z.object({ kind: z.string().max(200), url: z.url().max(2_000) }).nullable(),
  answered_at_ms: z.number(),
  models: z.array(modelReport.omit({ key: true, engine: true })),
});
/** Records one by one, so that a later version's record does not cost the others. */
const contents = z.object({ version: z.literal(1), engines: z.array(z.unknown()) });

export const lastKnownModelsFile = (nodeDirectory: string): string =>
  path.join(nodeDirectory, 'last-known-models.json');

interface LastKnownModelsOptions {
  /** Absent: a restart of the node forgets them. */
  readonly file?: string;
  /** Models of an engine that has not answered for this long are dropped. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}

/**
 * The models of each engine at its last response. A stopped engine keeps them listed, so that clients get a 503, which they retry, and not a
 * 404.
 */
export class LastKnownModels {
  private readonly engines = new Map<string, Remembered>();
  private readonly file: StateFile | undefined;
  private savedAtMs = 0;
  /** Nothing is written before the file was read: it may belong to another process. */
  private loaded = false;

  constructor(private readonly options: LastKnownModelsOptions) {
    const { file, onFailure } = options;
    this.file = file === undefined ? undefined : new StateFile({ file, maxBytes: MAX_FILE_BYTES, onFailure });
  }

  /** Reads the file of an earlier process. */
  async load(): Promise<void> {
    const read = await this.file?.read((value) => contents.parse(value));
    this.loaded = true;
    const now = this.options.clock.wallMs();
    for (const record of read?.engines.slice(0, MAX_ENGINES) ?? []) {
      const { success, data } = engineRecord.safeParse(record);
      if (!success) continue;
      // A clock that was set back must not make them last longer.
      const answeredAtMs = Math.min(data.answered_at_ms, now);
      this.engines.set(data.name, { models: data.models, found: data.found, answeredAtMs });
    }
  }

  /** Discovered engines, which may be down now. */
  get found(): readonly FoundBefore[] {
    return [...this.engines.values()].flatMap((one) =>
      one.found === null || this.isOld(one) ? [] : [{ ...one.found, models: one.models.length }],
    );
  }

  of(engine: string): readonly EngineModel[] {
    const remembered = this.engines.get(engine);
    return remembered === undefined || this.isOld(remembered) ? [] : remembered.models;
  }

  /** The engine answered with this list, which may be empty. */
  answered(engine: string, models: readonly EngineModel[], found: FoundEngine | null): void {
    if (models.length === 0) {
      this.forget(engine);
      return;
    }
    const before = this.engines.get(engine);
    const now = models.map(installed);
    this.engines.set(engine, { models: now, found, answeredAtMs: this.options.clock.wallMs() });
    if (JSON.stringify(before?.models) !== JSON.stringify(now)) this.save();
  }

  /** The engine still answers, and nothing has changed. */
  stillResponds(engine: string): void {
    const remembered = this.engines.get(engine);
    if (remembered === undefined) return;
    remembered.answeredAtMs = this.options.clock.wallMs();
    if (remembered.answeredAtMs - this.savedAtMs > this.options.maxAgeMs / SAVES_PER_AGE) this.save();
  }

  forget(engine: string): void {
    if (this.engines.delete(engine)) this.save();
  }

  /** @returns whether there were any */
  forgetOld(): boolean {
    const old = [...this.engines].filter(([, remembered]) => this.isOld(remembered));
    for (const [engine] of old) this.engines.delete(engine);
    if (old.length > 0) this.save();
    return old.length > 0;
  }

  /** Resolves when pending writes are done. Later saves are ignored. */
  async close(): Promise<void> {
    this.save();
    await this.file?.close();
  }

  private isOld({ answeredAtMs }: Remembered): boolean {
    return this.options.clock.wallMs() - answeredAtMs >= this.options.maxAgeMs;
  }

  private save(): void {
    if (!this.loaded) return;
    this.savedAtMs = this.options.clock.wallMs();
    this.file?.save(() => ({
      version: 1,
      engines: Array.from(this.engines, ([name, { models, found, answeredAtMs }]) => ({
        name,
        found,
        answered_at_ms: answeredAtMs,
        models,
      })),
    }));
  }
}

const installed = (model: EngineModel): EngineModel => ({ ...model, state: 'installed' });
