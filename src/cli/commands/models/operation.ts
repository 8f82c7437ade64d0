import type { OperationRecord } from './operation.shape.js';

export type { OperationRecord };

export const isOver = ({ state }: Pick<OperationRecord, 'state'>): boolean => state !== 'queued' && state !== 'running';

/** What it is about, in the owner's words. */
export const subjectOf = ({ model, source, model_key }: OperationRecord): string => model ?? source ?? model_key ?? '';

const doing = { install: 'Installing', load: 'Loading', unload: 'Unloading', remove: 'Removing' } as const;
const done = { install: 'Installed', load: 'Loaded', unload: 'Unloaded', remove: 'Removed' } as const;

/** `Installing qwen3:8b on desk (ollama)`. */
export function describeDoing(operation: OperationRecord): string {
  const engine = operation.engine === null ? '' : ` (${operation.engine})`;
  const what = operation.load === true ? 'Installing and loading' : doing[operation.kind];
  return `${what} ${subjectOf(operation)} on ${operation.node_name}${engine}`;
}

/** `Installed qwen3:8b on desk`. */
export function describeDone(operation: OperationRecord): string {
  const what = operation.load === true ? 'Installed and loaded' : done[operation.kind];
  return `${what} ${subjectOf(operation)} on ${operation.node_name}`;
}
