import type { Schemas } from '../../core/api/management-api.types.js';
import type { Column } from '../../core/output/table.js';
import { seconds, shortId, tokensPerSecond } from './request-times.js';

type Logged = Schemas['LoggedRequest'];

/** Omitted in narrow terminals, the highest first; names may be shortened. */
export const columnRoom: Readonly<Record<string, { readonly expendable?: number; readonly min?: number }>> = {
  KEY: { min: 6, expendable: 2 },
  MODEL: { min: 8 },
  NODE: { min: 6, expendable: 3 },
  OUTCOME: { min: 9 },
  'TOK/S': { expendable: 1 },
  FIRST: { expendable: 4 },
};

/** @param whole ids are not shortened */
export const columnsOf = (whole: boolean, when: (row: Logged) => string): readonly Column<Logged>[] => [
  { heading: 'WHEN', value: when },
  { heading: 'KEY', value: ({ key_id, key_name }) => key_name ?? key_id },
  { heading: 'MODEL', value: ({ model_name, model }) => model_name ?? model ?? '' },
  { heading: 'NODE', value: ({ node_name, node_id }) => node_name ?? node_id ?? '' },
  { heading: 'OUTCOME', value: outcomeOf },
  { heading: 'TOKENS', value: ({ output_tokens }) => String(output_tokens), align: 'right' },
  { heading: 'TOK/S', value: (row) => tokensPerSecond(row)?.toFixed(1) ?? '', align: 'right' },
  { heading: 'FIRST', value: ({ ttft_ms }) => seconds(ttft_ms), align: 'right' },
  { heading: 'TOTAL', value: ({ duration_ms }) => seconds(duration_ms), align: 'right' },
  { heading: 'REQUEST', value: ({ id }) => (whole ? id : shortId(id)), whole: true },
];

const outcomeOf = ({ outcome, code }: Logged): string => (code === null ? outcome : `${outcome}: ${code}`);
