import type { Schemas } from '../../core/api/management-api.types.js';
import { formatCount } from '../../core/output/quantities.js';
import type { Column, Mark } from '../../core/output/table.js';
import { inWords, seconds, tokensPerSecond } from './request-times.js';
import { shortId } from '../../core/output/short-id.js';

type Logged = Schemas['LoggedRequest'];

/** @param whole ids are not shortened */
export const columnsOf = (whole: boolean, when: (row: Logged) => string): readonly Column<Logged>[] => [
  { heading: 'WHEN', value: when, whole: true },
  { heading: 'KEY', value: ({ key_id, key_name }) => key_name ?? key_id, min: 10 },
  {
    heading: 'MODEL',
    value: ({ model_name, requested_model, model }) => model_name ?? requested_model ?? model ?? '',
    min: 8,
  },
  { heading: 'NODE', value: ({ node_name, node_id }) => node_name ?? node_id ?? '', min: 6 },
  { heading: 'OUTCOME', value: (row) => outcomeOf(row, whole), min: 11, sentence: true },
  { heading: 'TOKENS', value: ({ output_tokens }) => formatCount(output_tokens), align: 'right', expendable: 1 },
  { heading: 'TOK/S', value: (row) => rateText(tokensPerSecond(row)), align: 'right', expendable: 3 },
  { heading: 'FIRST', value: ({ ttft_ms }) => seconds(ttft_ms), align: 'right', expendable: 4 },
  { heading: 'TOTAL', value: ({ duration_ms }) => seconds(duration_ms), align: 'right', expendable: 2 },
  { heading: 'REQUEST', value: ({ id }) => (whole ? id : shortId(id)), whole: true },
];

const rateText = (rate: number | null): string => rate?.toFixed(rate < 100 ? 1 : 0) ?? '';

/** `rejected: model_not_found`; where it is to be short, the reason in words. */
function outcomeOf({ outcome, code }: Logged, whole: boolean): string {
  if (code === null) return whole ? outcome : inWords(outcome);
  if (whole) return `${outcome}: ${code}`;
  return inWords(outcome === 'rejected' || outcome === 'failed' ? code : outcome);
}

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
