import type { Schemas } from '../../core/api/management-api.types.js';

export const isOver = ({ state }: Pick<Schemas['Operation'], 'state'>): boolean =>
  state !== 'queued' && state !== 'running';

/** The model or source, in the user's words. */
export const subjectOf = ({ model, source, model_key }: Schemas['Operation']): string =>
  model ?? source?.replace(/^local:/, '') ?? model_key ?? '';

const doing = { install: 'Installing', load: 'Loading', unload: 'Unloading', remove: 'Removing' } as const;
const done = { install: 'Installed', load: 'Loaded', unload: 'Unloaded', remove: 'Removed' } as const;

const verbOf = ({ load, kind }: Schemas['Operation']): string => (load ? 'Installing and loading' : doing[kind]);

/** `Installing qwen3:8b on desk (ollama)`. */
export function describeDoing(operation: Schemas['Operation']): string {
  const engine = operation.engine === null ? '' : ` (${operation.engine})`;
  return `${verbOf(operation)} ${subjectOf(operation)} on ${operation.node_name}${engine}`;
}

/** `Installing on desk`. */
export const describePlace = (operation: Schemas['Operation']): string =>
  `${verbOf(operation)} on ${operation.node_name}`;

/** The last part of a URL or repository: `Qwen3-8B-Q4_K_M.gguf`. */
export function shortSubjectOf(operation: Schemas['Operation']): string {
  const subject = subjectOf(operation);
  const path = subject.replace(/^(https?:\/\/[^?#]*)[?#].*$/, '$1');
  return path.split('/').findLast((part) => part !== '') ?? subject;
}

/** `Installed qwen3:8b on desk`. */
export function describeDone(operation: Schemas['Operation']): string {
  const what = operation.load ? 'Installed and loaded' : done[operation.kind];
  return `${what} ${subjectOf(operation)} on ${operation.node_name}`;
}
