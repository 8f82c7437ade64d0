import type { State } from './state-dot';

/** How a request ended, in words and colour. */
const outcomes: Readonly<Record<string, { readonly label: string; readonly state: State }>> = {
  completed: { label: 'Completed', state: 'serving' },
  failed: { label: 'Failed', state: 'failed' },
  cancelled: { label: 'Cancelled', state: 'off' },
  timed_out: { label: 'Timed out', state: 'failed' },
  rejected: { label: 'Rejected', state: 'attention' },
};

export const outcomeNames = Object.keys(outcomes);

export const outcomeOf = (outcome: string | null): { readonly label: string; readonly state: State } =>
  outcome === null ? { label: 'Running', state: 'working' } : (outcomes[outcome] ?? { label: outcome, state: 'off' });

/** The protocols of `/v1`, as people call them. */
export const dialectNames: Readonly<Record<string, string>> = {
  chat: 'Chat Completions',
  completions: 'Completions',
  responses: 'Responses',
  messages: 'Messages',
  'messages-count': 'Token count (Messages)',
  'responses-count': 'Token count (Responses)',
  embeddings: 'Embeddings',
  rerank: 'Rerank',
};
