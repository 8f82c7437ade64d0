import type { Column } from '../../components/data-table';
import { codeWords, count, duration, tokensPerSecond } from '../../components/format';
import { LogTime } from '../../components/relative-time';
import { StateDot } from '../../components/state-dot';
import { outcomeOf } from '../../components/outcomes';
import { RequestLink } from './request-link';
import classes from './requests.module.css';
import { speedOf, type LoggedRequest } from './request-log';

export const requestColumns: readonly Column<LoggedRequest>[] = [
  {
    id: 'model',
    header: 'Model',
    heading: true,
    minWidth: '160px',
    cell: ({ id, model_name, requested_model }) => (
      <RequestLink id={id}>{model_name ?? requested_model ?? 'No model'}</RequestLink>
    ),
  },
  { id: 'time', header: 'When', width: '144px', card: 'line', cell: ({ started_at }) => <LogTime at={started_at} /> },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '124px',
    card: 'corner',
    cell: ({ outcome, code, message }) => {
      const { state, label } = outcomeOf(outcome);
      return (
        <>
          <StateDot state={state} label={label} />
          {code !== null && (
            <div className={classes.code} title={message ?? undefined}>
              {codeWords(code)}
            </div>
          )}
        </>
      );
    },
  },
  {
    id: 'key',
    header: 'Key',
    rank: 3,
    minWidth: '148px',
    card: 'line',
    cell: ({ key_name, key_id }) => key_name ?? key_id,
  },
  {
    id: 'node',
    header: 'Computer',
    rank: 4,
    width: '132px',
    card: 'line',
    cell: ({ node_name, node_id }) => node_name ?? node_id ?? '–',
  },
  {
    id: 'tokens',
    header: 'Tokens in / out',
    rank: 5,
    numeric: true,
    card: 'none',
    width: '116px',
    cell: ({ input_tokens, output_tokens }) => `${count(input_tokens)} / ${count(output_tokens)}`,
  },
  {
    id: 'first',
    header: 'First token',
    rank: 6,
    numeric: true,
    card: 'named',
    width: '88px',
    cell: ({ ttft_ms }) => duration(ttft_ms),
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
    width: '88px',
    rank: 3,
    card: 'named',
    cell: ({ duration_ms }) => duration(duration_ms),
  },
];
