import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { operationsQuery } from '../../api/queries';
import { isLive, subjectOf, type Operation } from '../../api/operation-state';
import { bytes, bytesPerSecond, clock } from '../../components/format';
import { ProgressBar } from '../../components/meter';
import { doing as verbs } from '../../components/operation-words';
import classes from './running-operations.module.css';

/** What computers are doing to models right now. */
export function RunningOperations() {
  const { data = [] } = useQuery(operationsQuery);
  const running = data.filter(isLive);
  if (running.length === 0) return null;
  return (
    <section aria-labelledby="in-progress" className={classes.section}>
      <h2 id="in-progress">In progress</h2>
      <ul>
        {running.map((operation) => (
          <li key={operation.id}>
            <RunningOperation operation={operation} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RunningOperation({ operation }: { readonly operation: Operation }) {
  const { kind, node_id, node_name, completed_bytes, total_bytes, bytes_per_second } = operation;
  const name = subjectOf(operation);
  const share = completed_bytes !== null && total_bytes ? completed_bytes / total_bytes : null;
  const left =
    share !== null && total_bytes && completed_bytes !== null && bytes_per_second
      ? (total_bytes - completed_bytes) / bytes_per_second
      : null;
  return (
    <>
      <div className={classes.words}>
        <span>
          {verbs[kind]}{' '}
          <Link to="/models" search={{ q: name }}>
            {name}
          </Link>{' '}
          on{' '}
          <Link to="/computers/$nodeId" params={{ nodeId: node_id }}>
            {node_name}
          </Link>
        </span>
        {share !== null && (
          <span className={classes.numbers}>
            {bytes(completed_bytes)} of {bytes(total_bytes)} · {bytesPerSecond(bytes_per_second)} · {clock(left)} left
          </span>
        )}
      </div>
      <ProgressBar share={share} label={`${verbs[kind]} ${name}`} />
    </>
  );
}
