/**
 * Management operations of an engine (docs/reference/engines.md#adapter-rules): install, load, unload, remove. Only a COMMAND of the
 * management API starts one, never an inference request.
 */
import type { OperationFailureCode } from '../../link/messages.js';

/** Progress of an operation. Report every change; the caller throttles. */
export interface OperationProgress {
  /** A few words for people, in the engine's terms: `downloading`, `verifying`, `loading`. */
  readonly phase: string;
  /** null: not counted in bytes. */
  readonly completedBytes: number | null;
  readonly totalBytes: number | null;
}

export interface OperationContext {
  /** Aborted by a cancel and by the end of the node's process. What was downloaded is kept, so that the next try resumes. */
  readonly signal: AbortSignal;
  readonly report: (progress: OperationProgress) => void;
}

export interface LoadOptions {
  /** Tokens of context to load the model with; undefined: as the engine decides. */
  readonly contextTokens?: number | undefined;
}

/**
 * `engineModel` is the engine's own name (`ModelReport.engine_model`). Each resolves when the engine is done and its next model list
 * will show it, and probes the engine itself, so that the change is reported within a second (not at the next poll).
 * @throws OperationFailure
 */
export interface EngineManagement {
  readonly load?: (engineModel: string, options: LoadOptions, context: OperationContext) => Promise<void>;
  readonly unload?: (engineModel: string, context: OperationContext) => Promise<void>;
  /**
   * `source` in the engine's own terms: `qwen3:8b`, `org/repo:quant`, `hf:owner/repo/file.gguf`, an https URL. @returns the engine's name
   * of the model
   */
  readonly install?: (source: string, context: OperationContext) => Promise<string>;
  readonly remove?: (engineModel: string, context: OperationContext) => Promise<void>;
}

/** The operation failed. The message for the owner states the problem and the next step. */
export class OperationFailure extends Error {
  override readonly name = 'OperationFailure';
  constructor(
    readonly code: OperationFailureCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
