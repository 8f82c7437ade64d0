import type { CliTokenId, NodeId, OperationId, SessionId } from '../../kernel/ids.js';
import type { CommandMessage, OperationFailureCode, OperationKind } from '../../link/messages.js';

export const operationStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type OperationState = (typeof operationStates)[number];

export const liveStates: readonly OperationState[] = ['queued', 'running'];

/** Its node still has, or still has to get, the job. */
export const isLive = ({ state }: Pick<Operation, 'state'>): boolean => liveStates.includes(state);

/** What nodes say, and what the relay says itself when the node cannot. */
export type FailureCode = OperationFailureCode | 'node_removed';

export interface OperationFailure {
  readonly code: FailureCode;
  /** For people, made safe to show. */
  readonly message: string;
}

/** Something that an owner wants a node to do with a model. The node owns the job; this is what the relay knows of it. */
export interface Operation {
  readonly id: OperationId;
  readonly nodeId: NodeId;
  /** As it was called when the operation began. */
  readonly nodeName: string;
  readonly kind: OperationKind;
  /** Engine name on the node; null: the node chooses (install). */
  readonly engine: string | null;
  /** `ModelReport.key`; of an install, only once it has succeeded. */
  readonly modelKey: string | null;
  /** What the inventory called the model when the operation began. */
  readonly model: string | null;
  /** Of an install, in the engine's own terms. */
  readonly source: string | null;
  /** Of an install: the node loads the model afterwards, as part of the operation. */
  readonly loadAfter: boolean;
  /** Of a load; null: as the engine decides. */
  readonly contextTokens: number | null;
  readonly state: OperationState;
  /** A few words of the node, such as `downloading`; null until it has said something. */
  readonly phase: string | null;
  readonly completedBytes: number | null;
  readonly totalBytes: number | null;
  readonly failure: OperationFailure | null;
  /** The owner wants it stopped; the node says what came of that. */
  readonly cancelRequested: boolean;
  readonly createdBy: CliTokenId | SessionId | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

/** What the owner asks for; the rest begins empty. */
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

/** With what only this process knows. */
export interface OperationView extends Operation {
  readonly nodeOnline: boolean;
  /** null: nothing is being counted. */
  readonly bytesPerSecond: number | null;
}

/** At most one live operation of a node may be about the same one of these. */
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
});

/** What the node is told; the same for every repetition. */
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
