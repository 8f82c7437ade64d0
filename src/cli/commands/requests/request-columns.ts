import type { Schemas } from '../../core/api/management-api.types.js';
import { formatCount } from '../../core/output/quantities.js';
import type { Column, Mark } from '../../core/output/table.js';
import { seconds, shortId, tokensPerSecond } from './request-times.js';

type Logged = Schemas['LoggedRequest'];

/** @param whole ids are not shortened */
export const columnsOf = (whole: boolean, when: (row: Logged) => string): readonly Column<Logged>[] => [
  { heading: 'WHEN', value: when, whole: true },
  { heading: 'KEY', value: ({ key_id, key_name }) => key_name ?? key_id, min: 6, expendable: 2 },
  { heading: 'MODEL', value: ({ model_name, model }) => model_name ?? model ?? '' },
  { heading: 'NODE', value: ({ node_name, node_id }) => node_name ?? node_id ?? '', min: 6, expendable: 3 },
  { heading: 'OUTCOME', value: outcomeOf, min: 9, sentence: true },
  { heading: 'TOKENS', value: ({ output_tokens }) => formatCount(output_tokens), align: 'right' },
  { heading: 'TOK/S', value: (row) => rateText(tokensPerSecond(row)), align: 'right', expendable: 1 },
  { heading: 'FIRST', value: ({ ttft_ms }) => seconds(ttft_ms), align: 'right', expendable: 4 },
  { heading: 'TOTAL', value: ({ duration_ms }) => seconds(duration_ms), align: 'right' },
  { heading: 'REQUEST', value: ({ id }) => (whole ? id : shortId(id)), whole: true },
];

const rateText = (rate: number | null): string => rate?.toFixed(rate < 100 ? 1 : 0) ?? '';

const outcomeOf = ({ outcome, code }: Logged): string => (code === null ? outcome : `${outcome}: ${code}`);

export function markOfOutcome({ outcome }: Pick<Logged, 'outcome'>): Mark {
  switch (outcome) {
    case 'completed':
      return 'serving';
    case 'rejected':
      return 'attention';
    case 'failed':
    case 'timed_out':
      return 'failed';
    // Cancelled, or an outcome that a newer relay knows.
    default:
      return 'off';
  }
}
