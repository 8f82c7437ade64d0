import type { OperationView } from './operation.js';

/** An operation as `/api/operations` shows it. Times in ISO 8601, sizes in bytes. */
export interface OperationRecord {
  readonly object: 'operation';
  readonly id: string;
  readonly kind: string;
  readonly node_id: string;
  readonly node_name: string;
  /** False: the state is the last that the node told; it goes on, and tells more when it is back. */
  readonly node_online: boolean;
  readonly engine: string | null;
  /** What the inventory calls the model; of an install, once it has succeeded. */
  readonly model: string | null;
  /** What the node calls it. */
  readonly model_key: string | null;
  readonly source: string | null;
  /** Of an install: whether the model is loaded afterwards, as part of it. */
  readonly load: boolean;
  readonly context_tokens: number | null;
  /** `queued`, `running`, `succeeded`, `failed` or `cancelled`. */
  readonly state: string;
  /** In the words of the engine, such as `downloading`. */
  readonly phase: string | null;
  readonly completed_bytes: number | null;
  readonly total_bytes: number | null;
  readonly bytes_per_second: number | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly cancel_requested: boolean;
  /** Id of the credential that asked for it. */
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** null while it is not over. */
  readonly finished_at: string | null;
}

/** @param model what the inventory calls it now, where the operation does not say */
export const operationRecord = (operation: OperationView, model: string | null): OperationRecord => ({
  object: 'operation',
  id: operation.id,
  kind: operation.kind,
  node_id: operation.nodeId,
  node_name: operation.nodeName,
  node_online: operation.nodeOnline,
  engine: operation.engine,
  model: operation.model ?? model,
  model_key: operation.modelKey,
  source: operation.source,
  load: operation.loadAfter,
  context_tokens: operation.contextTokens,
  state: operation.state,
  phase: operation.phase,
  completed_bytes: operation.completedBytes,
  total_bytes: operation.totalBytes,
  bytes_per_second: operation.bytesPerSecond,
  failure: operation.failure,
  cancel_requested: operation.cancelRequested,
  created_by: operation.createdBy,
  created_at: operation.createdAt.toISOString(),
  updated_at: operation.updatedAt.toISOString(),
  finished_at: operation.finishedAt?.toISOString() ?? null,
});
