import { CutText } from '../../components/cut-text';
import type { Column } from '../../components/data-table';
import { codeWords, duration, NONE, tokensPerSecond } from '../../components/format';
import { LogTime } from '../../components/relative-time';
import { tokensText } from '../../components/request-tokens';
import { StateDot } from '../../components/state-dot';
import { outcomeOf } from '../../components/outcomes';
import { RequestLink } from './request-link';
import classes from './requests.module.css';
import { speedOf, type LoggedRequest } from './request-log';

const keyOf = ({ key_name, key_id }: LoggedRequest): string => key_name ?? key_id;
const computerOf = ({ node_name, node_id }: LoggedRequest): string => node_name ?? node_id ?? NONE;

/** As narrow as what they usually contain: on a tablet there is room for the computer, too. */
export const requestColumns: readonly Column<LoggedRequest>[] = [
  {
    id: 'model',
    header: 'Model',
    heading: true,
    minWidth: '140px',
    cell: ({ id, model_name, requested_model }) => (
      <RequestLink id={id}>{model_name ?? requested_model ?? 'No model'}</RequestLink>
    ),
  },
  {
    id: 'time',
    header: 'When',
    width: '132px',
    card: 'second-end',
    cell: ({ started_at }) => <LogTime at={started_at} />,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '112px',
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
    minWidth: '104px',
    card: 'second-start',
    cell: (row, inCard) => {
      if (!inCard || row.node_id === null) return keyOf(row);
      const computer = ` · ${computerOf(row)}`;
      return <CutText text={`${keyOf(row)}${computer}`} endLength={computer.length} />;
    },
  },
  { id: 'node', header: 'Computer', rank: 4, minWidth: '92px', card: 'none', cell: computerOf },
  {
    id: 'tokens',
    header: 'Tokens in / out',
    rank: 5,
    numeric: true,
    card: 'none',
    width: '116px',
    cell: tokensText,
  },
  {
    id: 'first',
    header: 'First token',
    rank: 6,
    numeric: true,
    card: 'third-start',
    width: '88px',
    cell: ({ ttft_ms }, inCard) => `${inCard && ttft_ms !== null ? 'First token ' : ''}${duration(ttft_ms)}`,
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
    width: '84px',
    rank: 3,
    card: 'third-end',
    cell: (row, inCard) => {
      const tokens = tokensText(row);
      return `${inCard && tokens !== NONE ? `${tokens} tokens · ` : ''}${duration(row.duration_ms)}`;
    },
  },
];
