/** Requirements of a request for its model, determined before a node is selected (docs/reference/requirements.md). */
import type { InputKind } from '../kernel/dialect.js';

/** Path of a request field, such as `messages[0].content[1]`, for errors (docs/reference/api-behaviour.md#error-bodies). */
export type FieldPath = string;

/** Shared by nearly all requests: two maps of their own would take 400 bytes each. */
export const noFields: ReadonlyMap<InputKind, FieldPath> = new Map();

/** Mandatory capabilities, each with the first field that requires it. */
interface HardNeeds {
  /** Media besides text. */
  readonly inputs: ReadonlyMap<InputKind, FieldPath>;
  readonly tools: FieldPath | null;
}

/**
 * Preferred capabilities. Clients request them from every model (docs/reference/requirements.md: Codex always sends a reasoning effort,
 * Claude Code thinking), so a model without them may still serve the request.
 */
interface SoftNeeds {
  /** Tool calls in the history, which the template should render. */
  readonly toolHistory: boolean;
  readonly forcedTool: boolean;
  readonly reasoning: boolean;
  readonly structuredOutput: boolean;
  readonly logprobs: boolean;
  readonly audioOutput: boolean;
}

export interface Requirements {
  readonly hard: HardNeeds;
  readonly soft: SoftNeeds;
  /**
   * Media given as a web address, with the first field of each kind. Engines never get an address, which would give access to the network
   * of the node's owner (docs/reference/requirements.md#encodings, docs/reference/translation.md#rejected-and-dropped-fields). A node may
   * fetch images itself, where its owner allows it.
   */
  readonly remoteMedia: ReadonlyMap<InputKind, FieldPath>;
}

/** Of routes without media, tools and generated text. */
export const noRequirements: Requirements = {
  hard: { inputs: noFields, tools: null },
  soft: {
    toolHistory: false,
    forcedTool: false,
    reasoning: false,
    structuredOutput: false,
    logprobs: false,
    audioOutput: false,
  },
  remoteMedia: noFields,
};
