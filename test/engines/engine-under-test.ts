/** What the behavioural suite needs to know about one engine, be it a stand-in or the real program. */
import type { Engine } from '../../src/agent/engines/engine.js';
import type { OperationFailureCode } from '../../src/link/messages.js';

export interface EngineUnderTest {
  /** Not started yet. */
  readonly engine: Engine;
  /** The engine's own name of a model that is resident at the beginning, talks and calls tools. */
  readonly resident: string;
  /** One that is there and not resident; absent for an engine that has none such. */
  readonly installed?: string;
  /** How many inference requests have reached the engine. Absent where nobody can see them. */
  readonly inferenceCalls?: () => number;
  /** The engine puts the resident model out of memory by itself. */
  readonly evict?: () => Promise<void>;
  /** Ends the engine's program, as its owner would. */
  readonly quit: () => Promise<void>;
  /** Ends and cleans up everything; after `quit`, too. */
  readonly stop: () => Promise<void>;
}

export interface InstallExpectations {
  /** In the engine's own words. */
  readonly source: string;
  /** The engine's name of the model that comes of it. */
  readonly model: string;
  /** Whether progress comes in bytes. */
  readonly countsBytes: boolean;
  /** One that takes long enough to be cancelled. */
  readonly slowSource: string;
  readonly unknown: { readonly source: string; readonly code: OperationFailureCode };
}

export interface EngineSubject {
  /** `engine.kind`. */
  readonly kind: string;
  /** @param options.pollMs how often the engine is looked at; the suite makes it long to prove that nothing waits for it */
  readonly begin: (options: { readonly pollMs: number }) => Promise<EngineUnderTest>;
  /** Whether it can have models that are not resident, and put one out of memory by itself: `installed` and `evict` are there then. */
  readonly evicts: boolean;
  /** Which operations the engine has; the suite checks that every other one is absent or refused as `unsupported`. */
  readonly loads: boolean;
  readonly install?: InstallExpectations | 'needs the internet';
  /** Whether models that were installed can be removed again. */
  readonly removes: boolean;
}
