import type { Schemas } from '../../api/management-api.types';

type Scope = Schemas['Key']['scopes'][number];

/** What a key may do; the first one includes the others. */
const names: Readonly<Record<Scope, string>> = {
  inference: 'Use models',
  'models:read': 'List models only',
  embeddings: 'Embeddings only',
  rerank: 'Rerank only',
};

export const accessText = (scopes: readonly Scope[]): string =>
  scopes.includes('inference') ? names.inference : scopes.map((scope) => names[scope]).join(', ');

/** What the website offers for a new key. */
export const accessChoices = (['inference', 'models:read'] as const).map((value) => ({ value, label: names[value] }));
