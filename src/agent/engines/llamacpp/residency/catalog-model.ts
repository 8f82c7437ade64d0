import type { EngineModel } from '../../engine.js';
import type { GgufFacts } from '../catalogue/gguf-facts.js';
import type { LoadedModel } from '../generation/loaded-model.js';
import type { FolderFile } from '../catalogue/models-folder.js';

export interface LoadUnderWay {
  readonly giveUp: (reason: Error) => void;
  /** Resolves when it is over, however it ended. */
  readonly over: Promise<unknown>;
}

/** One model of the folders, and how far it is from answering. */
export class CatalogModel {
  state: EngineModel['state'] = 'installed';
  loaded: LoadedModel | undefined;
  /** Tokens that the owner asked for when it was loaded; undefined: the engine's own. */
  contextTokens: number | undefined;
  /** Set while it is loading or waits for that. */
  loading: LoadUnderWay | undefined;

  constructor(
    readonly file: FolderFile,
    readonly facts: GgufFacts,
  ) {}

  get name(): string {
    return this.file.engineModel;
  }

  /** What takes requests now. */
  get ready(): LoadedModel | undefined {
    return this.state === 'loaded' ? this.loaded : undefined;
  }

  /** @param usualContextTokens of a model that is loaded without a wish of the owner; undefined: as much as it was trained for */
  report(usualContextTokens: number | undefined): EngineModel {
    const expected = Math.min(
      this.facts.trainContextTokens ?? Infinity,
      this.contextTokens ?? usualContextTokens ?? Infinity,
    );
    const context_length = this.loaded?.contextTokens ?? (Number.isFinite(expected) ? expected : null);
    return { ...this.facts.report, state: this.state, context_length };
  }
}
