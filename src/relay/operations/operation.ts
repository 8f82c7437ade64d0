import type { CliTokenId, NodeId, OperationId, SessionId } from '../../kernel/ids.js';
import type { CommandMessage, OperationFailureCode, OperationKind } from '../../link/messages.js';

export const operationStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type OperationState = (typeof operationStates)[number];

export const liveStates: readonly OperationState[] = ['queued', 'running'];

/** Whether the operation is unfinished. */
export const isLive = ({ state }: Pick<Operation, 'state'>): boolean => liveStates.includes(state);

/** Codes of nodes, and those of the relay for a removed node. */
export type FailureCode = OperationFailureCode | 'node_removed';

export interface OperationFailure {
  readonly code: FailureCode;
  /** The text is sanitised for display. */
  readonly message: string;
}

/** A model operation on a node, as known to the relay; the node executes it. */
export interface Operation {
  readonly id: OperationId;
  readonly nodeId: NodeId;
  /** Name at the beginning of the operation. */
  readonly nodeName: string;
  readonly kind: OperationKind;
  /** Engine name on the node; null: the node chooses (install). */
  readonly engine: string | null;
  /** `ModelReport.key`; for an install only after its success. */
  readonly modelKey: string | null;
  /** Name in the inventory at the beginning of the operation. */
  readonly model: string | null;
  /** Set for an install, in the engine's format. */
  readonly source: string | null;
  /** Set for an install: the node then loads the model, as part of the operation. */
  readonly loadAfter: boolean;
  /** Set for a load; null: the engine's default. */
  readonly contextTokens: number | null;
  readonly state: OperationState;
  /** The node's description, such as `downloading`; null before its first report. */
  readonly phase: string | null;
  readonly completedBytes: number | null;
  readonly totalBytes: number | null;
  readonly failure: OperationFailure | null;
  /** A cancel was requested; the node reports the outcome. */
  readonly cancelRequested: boolean;
  readonly createdBy: CliTokenId | SessionId | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
  /** A failure needs no attention any more: somebody said so, or tried again. */
  readonly dismissedAt: Date | null;
  /** Of the row that it was read from or stored as. */
  readonly version: number;
}

/** The fields of a new operation; the others are initialised. */
export type OperationRequest = Pick<
  Operation,
  | 'nodeId'
  | 'nodeName'
  | 'kind'
  | 'engine'
  | 'modelKey'
  | 'model'
  | 'source'
  | 'loadAfter'
  | 'contextTokens'
  | 'createdBy'
>;

/** With fields that are not stored. */
export interface OperationView extends Operation {
  readonly nodeOnline: boolean;
  /** null when bytes are not counted. */
  readonly bytesPerSecond: number | null;
}

/** A node has at most one live operation per subject. */
export const subjectOf = ({ modelKey, source }: Pick<Operation, 'modelKey' | 'source'>): string =>
  modelKey ?? source ?? '';

export const newOperation = (id: OperationId, request: OperationRequest, now: Date): Operation => ({
  id,
  ...request,
  state: 'queued',
  phase: null,
  completedBytes: null,
  totalBytes: null,
  failure: null,
  cancelRequested: false,
  createdAt: now,
  updatedAt: now,
  finishedAt: null,
  dismissedAt: null,
  version: 1,
});

/** The command to the node; the same at every repetition. */
export function commandOf({ id, kind, engine, modelKey, source, loadAfter, contextTokens }: Operation): CommandMessage {
  switch (kind) {
    case 'install':
      return { verb: kind, operation_id: id, engine, source: source ?? '', ...(loadAfter && { load: true }) };
    case 'load':
      return { verb: kind, operation_id: id, model_key: modelKey ?? '', context_tokens: contextTokens };
    case 'unload':
    case 'remove':
      return { verb: kind, operation_id: id, model_key: modelKey ?? '' };
    default:
      return kind satisfies never;
  }
}
