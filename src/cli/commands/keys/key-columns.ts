import type { Column } from '../../core/output/table.js';
import type { timeColumn } from '../../core/output/time.js';
import { formatCount } from '../../core/output/quantities.js';
import type { Schemas } from '../../core/api/management-api.types.js';

type Key = Schemas['Key'];

/** Names of ids. */
export interface KeyNames {
  readonly cluster: (id: string) => string;
  /** Empty for the account itself. */
  readonly user: (id: string | null) => string;
}

export const keyColumns = (timeOf: ReturnType<typeof timeColumn>, names: KeyNames): readonly Column<Key>[] => [
  { heading: 'NAME', value: ({ name }) => name, min: 16 },
  { heading: 'ENDS IN', value: ({ last4 }) => last4, whole: true, expendable: 3 },
  { heading: 'LIMITS', value: limitsText, sentence: true, min: 31 },
  { heading: 'CLUSTERS', value: ({ cluster_ids: ids }) => ids?.map(names.cluster).join(', ') ?? 'all', expendable: 2 },
  { heading: 'EXPIRES', value: ({ expires }) => timeOf(expires), whole: true, optional: true },
  { heading: 'LAST USED', value: ({ last_used }) => timeOf(last_used), whole: true, expendable: 1 },
  { heading: 'SCOPES', value: ({ scopes }) => scopes.join(', '), expendable: 4 },
  {
    heading: 'DESCRIPTION',
    value: ({ description }) => description ?? '',
    sentence: true,
    optional: true,
    expendable: 5,
  },
  { heading: 'BY', value: ({ created_by: id }) => names.user(id), optional: true, expendable: 3 },
  { heading: 'ID', value: ({ key_id }) => key_id, whole: true, wide: true },
];

/** `60/min, 100k tok/min, 4 at once`: requests, tokens, concurrent requests. */
function limitsText({ limits }: Key): string {
  const { requests_per_minute: requests, tokens_per_minute: tokens, concurrency } = limits;
  return [
    requests === null ? [] : `${formatCount(requests)}/min`,
    tokens === null ? [] : `${tokens % 1_000 === 0 ? `${formatCount(tokens / 1_000)}k` : formatCount(tokens)} tok/min`,
    concurrency === null ? [] : `${formatCount(concurrency)} at once`,
  ]
    .flat()
    .join(', ');
}
