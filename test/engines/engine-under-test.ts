/** What the shared engine suite needs from an engine, fake or real. */
import type { Engine } from '../../src/agent/engines/engine.js';
import type { OperationFailureCode } from '../../src/link/messages.js';

export interface EngineUnderTest {
  /** Created but not started. */
  readonly engine: Engine;
  /** The engine's own name of a model that is resident at the start, chats and calls tools. */
  readonly resident: string;
  /** A model that is installed and not resident; absent when the engine has none. */
  readonly installed?: string;
  /** Number of inference requests that have reached the engine. Absent when it cannot be observed. */
  readonly inferenceCalls?: () => number;
  /** Makes the engine unload the resident model by itself. */
  readonly evict?: () => Promise<void>;
  /** Stops the engine's program, as its owner would. */
  readonly quit: () => Promise<void>;
  /** Stops and cleans up everything; also called after `quit`. */
  readonly stop: () => Promise<void>;
}

export interface InstallExpectations {
  /** Source in the engine's own syntax. */
  readonly source: string;
  /** The engine's name of the installed model. */
  readonly model: string;
  /** Whether progress is reported in bytes. */
  readonly countsBytes: boolean;
  /** A source whose installation takes long enough to be cancelled. */
  readonly slowSource: string;
  readonly unknown: { readonly source: string; readonly code: OperationFailureCode };
}

export interface EngineSubject {
  /** `engine.kind`. */
  readonly kind: string;
  /** @param options.pollMs polling interval of the engine; the suite makes it long to prove that nothing depends on polling */
  readonly begin: (options: { readonly pollMs: number }) => Promise<EngineUnderTest>;
  /** Whether it can have models that are not resident, and can unload one by itself: `installed` and `evict` are then present. */
  readonly evicts: boolean;
  /** The operations that the engine supports; the suite checks that all others are absent or refused as `unsupported`. */
  readonly loads: boolean;
  readonly install?: InstallExpectations | 'needs the internet';
  /** Whether installed models can be removed again. */
  readonly removes: boolean;
}
