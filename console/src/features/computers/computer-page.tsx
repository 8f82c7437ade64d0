import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { usePermission } from '../../api/use-permission';
import { ErrorPanel } from '../../components/error-panel';
import { LinkButton } from '../../components/link-button';
import { isGone } from '../../components/gone-nodes';
import { useGoneNodes } from '../../components/use-gone-nodes';
import { remedyOf } from '../../components/remedy';
import { StateDot } from '../../components/state-dot';
import { PageHead } from '../../layout/page-head';
import { PageSkeleton } from '../../layout/page-skeleton';
import { useVisited } from '../../layout/use-visited';
import { ComputerActions } from './computer-actions';
import { ComputerFacts } from './computer-facts';
import { ComputerHistory } from './computer-history';
import { ComputerModels } from './computer-models';
import { ComputerNotes } from './computer-notes';
import { ComputerOperations } from './computer-operations';
import { ComputerRequests } from './computer-requests';
import { ProblemLine } from './problem-line';
import { StartPanel } from './start-panel';
import { stateSince } from './state-since';

const nodeQuery = (nodeId: string) =>
  queryOptions({
    queryKey: ['nodes', nodeId],
    queryFn: () => bodyOf(api.GET('/api/nodes/{nodeId}', { params: { path: { nodeId } } })),
  });

export function ComputerPage() {
  const { nodeId = '' } = useParams({ strict: false });
  const { data: node, error, refetch } = useQuery(nodeQuery(nodeId));
  useVisited('computer', nodeId, node?.name);
  const gone = useGoneNodes(node?.online === false);
  const mayManage = usePermission('nodes:write');
  const back = <Link to="/computers">Computers</Link>;
  if (node === undefined) {
    if (!error) return <PageSkeleton />;
    return (
      <>
        <PageHead title="Computer" back={back} />
        <ErrorPanel title="The computer could not be loaded" error={error} onRetry={() => void refetch()} />
        <LinkButton to="/computers" variant="default" mt="md">
          Show all computers
        </LinkButton>
      </>
    );
  }
  const hasGone = isGone(gone, node);
  const isAway = !node.online && node.status === 'active';
  return (
    <>
      <PageHead
        title={node.name}
        mark={<StateDot {...stateSince(node, hasGone)} />}
        back={back}
        about={remedyOf(node, hasGone) !== null && <ProblemLine node={node} gone={gone} withoutHelp={isAway} />}
        action={mayManage && <ComputerActions node={node} />}
      />
      <ComputerNotes node={node} />
      {isAway && <StartPanel node={node} />}
      <ComputerFacts node={node} />
      <ComputerModels node={node} />
      <ComputerHistory node={node} />
      <ComputerOperations node={node} />
      <ComputerRequests node={node} />
    </>
  );
}
