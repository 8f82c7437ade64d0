import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { requestColumns } from '../../components/logged-request-columns';
import { TableSection } from '../../components/table-section';
import { recentRequestsQuery } from './overview-queries';

export function RecentRequests() {
  const recent = useQuery(recentRequestsQuery);
  return (
    <TableSection
      title="Recent requests"
      action={<Link to="/requests">All requests</Link>}
      prefix="recent-"
      query={recent}
      columns={requestColumns}
      rowKey={({ id }) => id}
      empty="There was no request yet."
    />
  );
}
