import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import type { Schemas } from '../../api/management-api.types';
import type { Column } from '../../components/data-table';
import { cutMiddle, duration } from '../../components/format';
import type { Node } from '../../components/node-facts';
import { RelativeTime } from '../../components/relative-time';
import { RequestOutcome } from '../../components/request-outcome';
import { TableSection } from '../../components/table-section';
import shared from '../../components/table-section.module.css';

type Logged = Schemas['LoggedRequest'];

const SHOWN = 10;
const ID_CHARACTERS = 16;

const columns: readonly Column<Logged>[] = [
  {
    id: 'request',
    header: 'Request',
    heading: true,
    width: '150px',
    cell: ({ id }) => (
      <Link to="/requests/$requestId" params={{ requestId: id }} className={shared.link}>
        <code>{cutMiddle(id, ID_CHARACTERS)}</code>
      </Link>
    ),
  },
  {
    id: 'model',
    header: 'Model',
    card: 'line',
    width: '130px',
    cell: ({ model_name, model }) => model_name ?? model ?? '–',
  },
  {
    id: 'outcome',
    header: 'Outcome',
    rank: 1,
    card: 'whole',
    minWidth: '144px',
    cell: (row) => <RequestOutcome {...row} />,
  },
  {
    id: 'duration',
    header: 'Duration',
    numeric: true,
    width: '90px',
    rank: 5,
    card: 'named',
    cell: ({ duration_ms }) => duration(duration_ms),
    below: ({ duration_ms }) => duration(duration_ms),
  },
  {
    id: 'at',
    header: 'When',
    width: '110px',
    card: 'line',
    cell: ({ started_at }) => <RelativeTime at={started_at} />,
  },
];

/** The last requests that this computer failed; of one that is offline the last ones of all, which are what is still known of it. */
export function ComputerRequests({ node: { node_id: nodeId, online } }: { readonly node: Node }) {
  const last = useQuery({
    queryKey: ['requests', 'last-of-node', nodeId, online],
    queryFn: async () => {
      const query = { limit: SHOWN, node_id: nodeId, ...(online && { outcome: 'failed' as const }) };
      return (await bodyOf(api.GET('/api/usage/requests', { params: { query } }))).data;
    },
  });
  if (last.data === undefined || last.data.length === 0) return null;
  return (
    <TableSection
      title={online ? 'Recent errors' : 'Last requests'}
      prefix="e"
      query={last}
      columns={columns}
      rowKey={({ id }) => id}
      empty={null}
    />
  );
}
