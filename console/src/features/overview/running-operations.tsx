import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { operationsQuery } from '../../api/queries';
import type { Schemas } from '../../api/management-api.types';
import { bytes, bytesPerSecond, clock } from '../../components/format';
import { ProgressBar } from '../../components/meter';
import classes from './running-operations.module.css';

type Operation = Schemas['Operation'];

const verbs: Readonly<Record<Operation['kind'], string>> = {
  install: 'Installing',
  load: 'Loading',
  unload: 'Unloading',
  remove: 'Removing',
};

/** What computers are doing to models right now. */
export function RunningOperations() {
  const { data = [] } = useQuery(operationsQuery);
  const running = data.filter(({ state }) => state === 'queued' || state === 'running');
  if (running.length === 0) return null;
  return (
    <section aria-labelledby="running" className={classes.section}>
      <h2 id="running">In progress</h2>
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
  const { kind, model, model_key, source, node_id, node_name, completed_bytes, total_bytes, bytes_per_second } =
    operation;
  const name = model ?? model_key ?? source ?? 'a model';
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
