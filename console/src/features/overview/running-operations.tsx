import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { operationsQuery } from '../../api/queries';
import { isLive, subjectOf, type Operation } from '../../api/operation-state';
import { ProgressBar } from '../../components/meter';
import { ModelLink } from '../../components/model-link';
import { doing as verbs } from '../../components/operation-words';
import { progressFacts, shareOf } from '../../components/progress-facts';
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
  const { kind, node_id, node_name } = operation;
  const name = subjectOf(operation);
  const facts = progressFacts(operation);
  return (
    <>
      <div className={classes.words}>
        <span>
          {verbs[kind]}{' '}
          <ModelLink operation={operation}>
            <bdi>{name}</bdi>
          </ModelLink>{' '}
          on{' '}
          <Link to="/computers/$nodeId" params={{ nodeId: node_id }}>
            {node_name}
          </Link>
        </span>
        {facts.length > 0 && <span className={classes.numbers}>{facts.join(' · ')}</span>}
      </div>
      <ProgressBar share={shareOf(operation)} label={`${verbs[kind]} ${name}`} />
    </>
  );
}
