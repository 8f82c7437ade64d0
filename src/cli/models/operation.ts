/** As `/api/operations` has it. */
export interface OperationRecord {
  readonly id: string;
  readonly kind: 'install' | 'load' | 'unload' | 'remove';
  readonly node_id: string;
  readonly node_name: string;
  readonly node_online: boolean;
  readonly engine: string | null;
  readonly model: string | null;
  readonly model_key: string | null;
  readonly source: string | null;
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  readonly phase: string | null;
  readonly completed_bytes: number | null;
  readonly total_bytes: number | null;
  readonly bytes_per_second: number | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly cancel_requested: boolean;
  readonly created_at: string;
}

export const isOver = ({ state }: Pick<OperationRecord, 'state'>): boolean => state !== 'queued' && state !== 'running';

/** What it is about, in the owner's words. */
export const subjectOf = ({ model, source, model_key }: OperationRecord): string => model ?? source ?? model_key ?? '';

const doing = { install: 'Installing', load: 'Loading', unload: 'Unloading', remove: 'Removing' } as const;
const done = { install: 'Installed', load: 'Loaded', unload: 'Unloaded', remove: 'Removed' } as const;

/** `Installing qwen3:8b on desk (ollama)`. */
export function describeDoing(operation: OperationRecord): string {
  const engine = operation.engine === null ? '' : ` (${operation.engine})`;
  return `${doing[operation.kind]} ${subjectOf(operation)} on ${operation.node_name}${engine}`;
}

/** `Installed qwen3:8b on desk`. */
export const describeDone = (operation: OperationRecord): string =>
  `${done[operation.kind]} ${subjectOf(operation)} on ${operation.node_name}`;
