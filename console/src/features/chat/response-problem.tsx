import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '../../api/api-problem';
import { CommandChoice } from '../../components/command-choice';
import { ErrorPanel } from '../../components/error-panel';
import { nextStepOf } from '../../components/next-step';
import { nodeCommands } from '../../components/node-commands';
import { PlaceLink } from '../../components/place-link';
import type { ResponseProblemProps } from './plain-problem';
import classes from './response-problem.module.css';
import { routeQuery } from './route-query';

/** Why there is no answer, and what to do next, in the words of the page of the request. */
export default function ResponseProblem({ problem, turn, onRetry }: ResponseProblemProps) {
  const { status, code, message, requestId } = problem;
  // Of a request that was refused before its stream began, only the problem has the id.
  const { data, isLoading } = useQuery(routeQuery(requestId ?? turn.requestId));
  const asked = data?.attempts.at(-1);
  // Without the name of the computer it would have other words for a moment.
  const step = isLoading
    ? undefined
    : nextStepOf({
        code,
        message,
        node_id: asked?.node_id ?? null,
        node_name: asked?.node_name ?? null,
        model_name: turn.model,
        requested_model: turn.model,
        // The website has none.
        key_id: '',
        key_name: null,
      });
  return (
    <ErrorPanel
      error={new ApiProblem(status, code, message, requestId)}
      {...(onRetry && { onRetry })}
      advice={
        step && (
          <div className={classes.advice}>
            <p>{step.advice}</p>
            {step.command !== undefined && <CommandChoice commands={nodeCommands(step.command)} />}
          </div>
        )
      }
      action={step?.place && <PlaceLink place={step.place} size="compact-sm" />}
    />
  );
}
