import { useQuery } from '@tanstack/react-query';
import { nodesQuery } from '../../api/queries';
import { FailureBox } from '../../components/failure-box';
import { nextStepOf } from '../../components/next-step';
import { outcomeOf } from '../../components/outcomes';
import { takesContext } from '../../components/takes-context';
import classes from './request-page.module.css';
import type { LoggedRequest } from '../../components/logged-request';

/** Why it failed, and what to do about it. */
export function RequestFailure({ row }: { readonly row: LoggedRequest }) {
  const { code, message, outcome, node_id, model } = row;
  const { data: nodes } = useQuery({ ...nodesQuery, enabled: node_id !== null && code !== null });
  if (code === null) return null;
  return (
    <section className={classes.failure} aria-label="Failure">
      <FailureBox
        state={outcomeOf(outcome).state}
        message={message}
        facts={<code>{code}</code>}
        step={nextStepOf({ ...row, takesContext: takesContext(nodes, node_id, model) })}
      />
    </section>
  );
}
