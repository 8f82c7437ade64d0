import type { EngineModel } from '../../engine.js';
import type { GgufFacts } from '../catalogue/gguf-facts.js';
import type { LoadedModel } from '../generation/loaded-model.js';
import type { FolderFile } from '../catalogue/models-folder.js';

export interface LoadUnderWay {
  readonly giveUp: (reason: Error) => void;
  /** Resolves at the end of the load, whatever its outcome. */
  readonly over: Promise<unknown>;
}

/** A model of the folders and its state. */
export class CatalogModel {
  state: EngineModel['state'] = 'installed';
  loaded: LoadedModel | undefined;
  /** Context length requested for the load; undefined: the engine's default. */
  contextTokens: number | undefined;
  /** Set while the load runs or is queued. */
  loading: LoadUnderWay | undefined;

  constructor(
    readonly file: FolderFile,
    readonly facts: GgufFacts,
  ) {}

  get name(): string {
    return this.file.engineModel;
  }

  /** Set while the model takes requests. */
  get ready(): LoadedModel | undefined {
    return this.state === 'loaded' ? this.loaded : undefined;
  }

  /** @param usualContextTokens default context of a load; undefined: the trained context */
  report(usualContextTokens: number | undefined): EngineModel {
    const expected = Math.min(
      this.facts.trainContextTokens ?? Infinity,
      this.contextTokens ?? usualContextTokens ?? Infinity,
    );
    const context_length = this.loaded?.contextTokens ?? (Number.isFinite(expected) ? expected : null);
    return { ...this.facts.report, state: this.state, context_length };
  }
}
