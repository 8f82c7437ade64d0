import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../../api/queries';
import { ErrorPanel } from '../../components/error-panel';
import { RunningRequests } from '../../components/running-requests';
import { PageHead } from '../../layout/page-head';
import { PageSkeleton } from '../../layout/page-skeleton';
import { AttentionList } from './attention-list';
import { Checklist, isDone } from './checklist';
import { Figures } from './figures';
import { RecentRequests } from './recent-requests';
import { RunningOperations } from './running-operations';

/** For a new account the checklist; afterwards today against yesterday, with what needs attention first. */
export function OverviewPage() {
  const { data, error, refetch } = useQuery(overviewQuery);
  if (data === undefined) {
    return error ? (
      <>
        <PageHead title="Overview" />
        <ErrorPanel title="The overview could not be loaded" error={error} onRetry={() => void refetch()} />
      </>
    ) : (
      <PageSkeleton />
    );
  }
  const isNew = !isDone(data.checklist);
  return (
    <>
      <PageHead title="Overview" about={isNew ? 'Four steps to your own models behind one address.' : undefined} />
      {isNew && <Checklist done={data.checklist} />}
      <AttentionList attention={data.attention} />
      {data.checklist.has_node && <Figures overview={data} />}
      <RunningOperations />
      {data.checklist.has_request && <RunningRequests />}
      {data.checklist.has_request && <RecentRequests />}
    </>
  );
}
