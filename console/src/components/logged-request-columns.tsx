import type { Column } from './data-table';
import { duration, NONE, tokensPerSecond } from './format';
import { LogTime } from './relative-time';
import { shortTokensText, tokensText } from './request-tokens';
import { DottedLine } from './dotted-line';
import type { LoggedRequest } from './logged-request';
import { speedOf } from './request-speed';
import { OriginLine } from './origin-line';
import { RequestLink } from './request-link';
import { RequestOutcome } from './request-outcome';

const keyOf = ({ key_name, key_id }: LoggedRequest): string => key_name ?? key_id;
const computerOf = ({ node_name, node_id }: LoggedRequest): string => node_name ?? node_id ?? NONE;
const firstTokenText = ({ ttft_ms }: LoggedRequest): string =>
  ttft_ms === null ? '' : `first token ${duration(ttft_ms)}`;

/** `9 in · 10 out`, `first token 5 ms`, `41 tok/s`: what is known of it. */
function measuresOf(row: LoggedRequest): readonly string[] {
  const speed = speedOf(row);
  const parts = [shortTokensText(row), firstTokenText(row), speed === null ? '' : tokensPerSecond(speed)];
  return parts.filter((part) => part !== '');
}

/** As narrow as what they usually contain: models are told apart by both ends of their names. */
export const requestColumns: readonly Column<LoggedRequest>[] = [
  {
    id: 'model',
    header: 'Model',
    heading: true,
    minWidth: '180px',
    // The rest is for names of keys and computers.
    maxWidth: '208px',
    cell: ({ id, model_name, requested_model }) => (
      <RequestLink id={id}>{model_name ?? requested_model ?? 'No model'}</RequestLink>
    ),
  },
  {
    id: 'time',
    header: 'When',
    width: '132px',
    card: 'none',
    cell: ({ started_at }) => <LogTime at={started_at} />,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '144px',
    card: 'corner',
    cell: (row) => <RequestOutcome {...row} />,
  },
  {
    id: 'key',
    header: 'Key',
    rank: 3,
    minWidth: '84px',
    card: 'second-start',
    cell: (row, inCard) => (inCard ? <Origin row={row} /> : keyOf(row)),
  },
  {
    id: 'node',
    header: 'Computer',
    rank: 4,
    minWidth: '84px',
    card: 'none',
    cell: computerOf,
    below: ({ node_name, node_id }) => node_name ?? node_id ?? '',
  },
  {
    id: 'tokens',
    header: 'Tokens in / out',
    rank: 5,
    numeric: true,
    card: 'third',
    width: '132px',
    cell: (row, inCard) => (inCard ? <Measures row={row} /> : tokensText(row)),
    below: shortTokensText,
  },
  {
    id: 'first',
    header: 'First token',
    rank: 6,
    numeric: true,
    card: 'none',
    width: '88px',
    cell: ({ ttft_ms }) => duration(ttft_ms),
    below: firstTokenText,
    belowIn: 'total',
  },
  {
    id: 'speed',
    header: 'Speed',
    rank: 8,
    numeric: true,
    card: 'none',
    width: '96px',
    cell: (row) => tokensPerSecond(speedOf(row)),
  },
  {
    id: 'total',
    header: 'Total',
    numeric: true,
    // Of the time to the first token below it.
    width: '124px',
    rank: 3,
    card: 'second-end',
    cell: ({ duration_ms }) => duration(duration_ms),
  },
];

function Measures({ row }: { readonly row: LoggedRequest }) {
  const parts = measuresOf(row);
  return parts.length === 0 ? null : <DottedLine parts={parts} />;
}

function Origin({ row }: { readonly row: LoggedRequest }) {
  const names = [keyOf(row), ...(row.node_id === null ? [] : [computerOf(row)])];
  return <OriginLine first={<LogTime at={row.started_at} />} names={names} />;
}
