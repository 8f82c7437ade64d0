import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CutText } from '../../components/cut-text';
import type { Column } from '../../components/data-table';
import { duration, NONE } from '../../components/format';
import { RelativeTime } from '../../components/relative-time';
import { tokensTogether } from '../../components/request-tokens';
import { outcomeOf } from '../../components/outcomes';
import { StateDot } from '../../components/state-dot';
import { TableSection } from '../../components/table-section';
import shared from '../../components/table-section.module.css';
import { recentRequestsQuery, type LoggedRequest } from './overview-queries';

const columns: readonly Column<LoggedRequest>[] = [
  {
    id: 'model',
    header: 'Model',
    heading: true,
    cell: ({ id, model_name, requested_model }) => (
      <Link to="/requests/$requestId" params={{ requestId: id }} className={shared.link}>
        <CutText text={model_name ?? requested_model ?? 'No model'} />
      </Link>
    ),
  },
  {
    id: 'at',
    header: 'When',
    width: '112px',
    rank: 1,
    card: 'line',
    cell: ({ started_at }) => <RelativeTime at={started_at} />,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '124px',
    rank: 2,
    card: 'corner',
    cell: ({ outcome, code, message }) => (
      <span title={message ?? code ?? undefined}>
        <StateDot {...outcomeOf(outcome)} />
      </span>
    ),
  },
  {
    id: 'key',
    header: 'Key',
    rank: 4,
    minWidth: '150px',
    card: 'line',
    cell: ({ key_name, key_id }) => key_name ?? key_id,
  },
  {
    id: 'node',
    header: 'Computer',
    rank: 5,
    width: '140px',
    card: 'line',
    cell: ({ node_name, node_id }) => node_name ?? node_id ?? NONE,
    below: ({ node_name, node_id }) => node_name ?? node_id ?? '',
  },
  {
    id: 'tokens',
    header: 'Tokens',
    numeric: true,
    width: '96px',
    rank: 7,
    card: 'none',
    cell: tokensTogether,
  },
  {
    id: 'ttft',
    header: 'First token',
    numeric: true,
    width: '96px',
    rank: 6,
    card: 'none',
    cell: ({ ttft_ms }) => duration(ttft_ms),
  },
  {
    id: 'duration',
    header: 'Total',
    numeric: true,
    width: '88px',
    rank: 3,
    card: 'named',
    cell: ({ duration_ms }) => duration(duration_ms),
  },
];

export function RecentRequests() {
  const recent = useQuery(recentRequestsQuery);
  return (
    <TableSection
      title="Recent requests"
      action={<Link to="/requests">All requests</Link>}
      prefix="recent-"
      query={recent}
      columns={columns}
      rowKey={({ id }) => id}
      empty="There was no request yet."
    />
  );
}
