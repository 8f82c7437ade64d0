import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureBox } from '../../components/failure-box';
import { FailureFacts } from '../../components/failure-facts';
import { nodesQuery } from '../../api/queries';
import { nextStepOf } from '../../components/next-step';
import { takesContext } from '../../components/takes-context';
import type { ResponseProblemProps } from './plain-problem';
import { routeQuery } from './route-query';

/** Why there is no answer, and what to do next, in the words of the page of the request. */
export default function ResponseProblem({ problem, turn, onRetry }: ResponseProblemProps) {
  const { status, code, message, requestId } = problem;
  // Of a request that was refused before its stream began, only the problem has the id.
  const { data, isLoading } = useQuery(routeQuery(requestId ?? turn.requestId));
  const { data: nodes } = useQuery(nodesQuery);
  const asked = data?.attempts.at(-1);
  // Without the name of the computer it would have other words for a moment.
  const step = isLoading
    ? undefined
    : nextStepOf({
        code,
        message,
        node_id: asked?.node_id ?? null,
        node_name: asked?.node_name ?? null,
        takesContext: takesContext(nodes, asked?.node_id ?? null, turn.model),
        model_name: turn.model,
        requested_model: turn.model,
        // The website has none.
        key_id: '',
        key_name: null,
      });
  return (
    <div role="alert">
      <FailureBox
        state="failed"
        message={message}
        facts={<FailureFacts status={status} code={code} requestId={requestId} />}
        step={step}
        isPending={isLoading}
        action={
          onRetry && (
            <Button size="xs" variant="light" onClick={onRetry}>
              Retry
            </Button>
          )
        }
      />
    </div>
  );
}
