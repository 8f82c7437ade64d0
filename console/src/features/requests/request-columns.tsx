import { Fragment } from 'react';
import { CutText } from '../../components/cut-text';
import type { Column } from '../../components/data-table';
import { codeWords, duration, NONE, tokensPerSecond } from '../../components/format';
import { LogTime } from '../../components/relative-time';
import { shortTokensText, tokensText } from '../../components/request-tokens';
import { StateDot } from '../../components/state-dot';
import { outcomeOf } from '../../components/outcomes';
import { RequestLink } from './request-link';
import classes from './requests.module.css';
import { speedOf, type LoggedRequest } from './request-log';

const keyOf = ({ key_name, key_id }: LoggedRequest): string => key_name ?? key_id;
const computerOf = ({ node_name, node_id }: LoggedRequest): string => node_name ?? node_id ?? NONE;
const totalInCard = (row: LoggedRequest): string =>
  [shortTokensText(row), duration(row.duration_ms)].filter((text) => text !== '').join(' · ');

/** As narrow as what they usually contain: models are told apart by both ends of their names. */
export const requestColumns: readonly Column<LoggedRequest>[] = [
  {
    id: 'model',
    header: 'Model',
    heading: true,
    minWidth: '200px',
    cell: ({ id, model_name, requested_model }) => (
      <RequestLink id={id}>{model_name ?? requested_model ?? 'No model'}</RequestLink>
    ),
  },
  {
    id: 'time',
    header: 'When',
    width: '140px',
    card: 'none',
    cell: ({ started_at }) => <LogTime at={started_at} />,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '144px',
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
    card: 'none',
    width: '132px',
    cell: tokensText,
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
    width: '96px',
    rank: 3,
    card: 'second-end',
    cell: (row, inCard) => (inCard ? totalInCard(row) : duration(row.duration_ms)),
  },
];

/** "14:02:31 · website · studio" */
function Origin({ row }: { readonly row: LoggedRequest }) {
  const names = [keyOf(row), ...(row.node_id === null ? [] : [computerOf(row)])];
  return (
    <span className={classes.origin}>
      <LogTime at={row.started_at} />
      {names.map((name, index) => (
        <Fragment key={index}>
          <span className={classes.dot}> · </span>
          <CutText text={name} />
        </Fragment>
      ))}
    </span>
  );
}
