/** What a request needs of the model that serves it, found structurally before a node is chosen (docs/reference/requirements.md). */
import type { InputKind } from '../kernel/dialect.js';

/** A request field as a path, such as `messages[0].content[1]`: a refusal names it (docs/reference/api-behaviour.md#error-bodies). */
export type FieldPath = string;

/** Without one of these no model can serve the request. Each names the first field that asks for it. */
export interface HardNeeds {
  /** Media besides text. */
  readonly inputs: ReadonlyMap<InputKind, FieldPath>;
  readonly tools: FieldPath | null;
}

/**
 * Better with than without: clients send these to every model (docs/reference/requirements.md: Codex always asks for reasoning effort,
 * Claude Code for thinking), so a model that lacks one still serves the request.
 */
export interface SoftNeeds {
  /** Old tool calls in the conversation: the template should know how to render them. */
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
   * Media that are a web address, with the first field of each kind. No engine is given one: it would be a way into the network of the
   * node's owner (docs/reference/requirements.md#encodings, docs/reference/translation.md#rejected-and-dropped-fields). A node may fetch
   * images itself, where its owner allows it.
   */
  readonly remoteMedia: ReadonlyMap<InputKind, FieldPath>;
}
