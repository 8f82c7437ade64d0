import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { usePermission } from '../../api/use-permission';
import { ErrorPanel } from '../../components/error-panel';
import { LinkButton } from '../../components/link-button';
import { HelpButton } from '../../components/help-button';
import { nodeCommands } from '../../components/node-commands';
import { nodeState, type Node } from '../../components/node-facts';
import { remedyOf } from '../../components/remedy';
import { StateDot } from '../../components/state-dot';
import { PageHead } from '../../layout/page-head';
import { PageSkeleton } from '../../layout/page-skeleton';
import { ComputerActions } from './computer-actions';
import { ComputerErrors } from './computer-errors';
import { ComputerFacts } from './computer-facts';
import { ComputerHistory } from './computer-history';
import { ComputerModels } from './computer-models';
import { ComputerNotes } from './computer-notes';
import { ComputerOperations } from './computer-operations';
import { ProblemLine } from './problem-line';
import classes from './computers.module.css';

const nodeQuery = (nodeId: string) =>
  queryOptions({
    queryKey: ['nodes', nodeId],
    queryFn: () => bodyOf(api.GET('/api/nodes/{nodeId}', { params: { path: { nodeId } } })),
  });

export function ComputerPage() {
  const { nodeId = '' } = useParams({ strict: false });
  const { data: node, error, refetch } = useQuery(nodeQuery(nodeId));
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
  return (
    <>
      <PageHead
        title={node.name}
        mark={<StateDot {...nodeState(node)} />}
        back={back}
        about={!node.online && remedyOf(node) === null ? <Offline node={node} /> : <ProblemLine node={node} />}
        action={mayManage && <ComputerActions node={node} />}
      />
      <ComputerNotes node={node} mayManage={mayManage} />
      <ComputerFacts node={node} />
      <ComputerModels node={node} />
      <ComputerHistory node={node} />
      <ComputerOperations node={node} />
      <ComputerErrors nodeId={node.node_id} />
    </>
  );
}

/** Of a computer that is away for no known reason: it is switched off, or Ferry does not run there. */
const Offline = ({ node: { name } }: { readonly node: Node }) => (
  <span className={classes.quiet}>
    It is offline.{' '}
    <HelpButton
      label="How to start it"
      advice={`Switch ${name} on. If Ferry does not start by itself there, start it:`}
      commands={nodeCommands('run')}
    />
  </span>
);
