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
/** As narrow as they can be: what they share a line with is longer. */
const shortTokens = (row: LoggedRequest): string => {
  const tokens = tokensText(row);
  return tokens === NONE ? '' : `${tokens.replace(' / ', '/')} tokens`;
};
const totalInCard = (row: LoggedRequest): string =>
  [shortTokens(row), duration(row.duration_ms)].filter((text) => text !== '').join(' · ');

/** As narrow as what they usually contain: on a tablet there is room for the computer, too. */
export const requestColumns: readonly Column<LoggedRequest>[] = [
  {
    id: 'model',
    header: 'Model',
    heading: true,
    minWidth: '128px',
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
    width: '136px',
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
    minWidth: '92px',
    card: 'second-start',
    cell: (row, inCard) => (inCard ? <Origin row={row} /> : keyOf(row)),
  },
  {
    id: 'node',
    header: 'Computer',
    rank: 4,
    minWidth: '92px',
    card: 'none',
    cell: computerOf,
    below: ({ node_name, node_id }) => node_name ?? node_id ?? '',
  },
  {
    id: 'tokens',
    header: 'Tokens in / out',
    rank: 5,
    numeric: true,
    card: 'none',
    width: '116px',
    cell: tokensText,
    below: shortTokens,
  },
  {
    id: 'first',
    header: 'First token',
    rank: 6,
    numeric: true,
    card: 'none',
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
    width: '84px',
    rank: 3,
    card: 'second-end',
    cell: (row, inCard) => (inCard ? totalInCard(row) : duration(row.duration_ms)),
  },
];

/** "14:02:31 · website · studio" */
function Origin({ row }: { readonly row: LoggedRequest }) {
  const computer = ` · ${computerOf(row)}`;
  return (
    <span className={classes.origin}>
      <LogTime at={row.started_at} />
      <span aria-hidden="true">·</span>
      {row.node_id === null ? (
        <CutText text={keyOf(row)} />
      ) : (
        <CutText text={`${keyOf(row)}${computer}`} endLength={computer.length} />
      )}
    </span>
  );
}
