import { useQuery } from '@tanstack/react-query';
import { nodesQuery } from '../../api/queries';
import { EmptyState } from '../../components/empty-state';
import { LinkButton } from '../../components/link-button';
import { NoComputer } from '../../components/no-computer';
import { TableSkeleton } from '../../components/table-skeleton';

/** A chat that nobody could answer: what it needs first. */
export function NoModel() {
  const { data: nodes, isPending } = useQuery(nodesQuery);
  if (isPending) return <TableSkeleton rows={3} />;
  if (nodes?.length === 0) {
    return (
      <NoComputer title="No model yet">A chat needs a model, and models live on computers: add one first.</NoComputer>
    );
  }
  return (
    <EmptyState
      title="No model yet"
      command="ferry run qwen3"
      action={<LinkButton to="/models">Go to models</LinkButton>}
    >
      A chat needs a model that is installed on a computer of this account.
    </EmptyState>
  );
}
