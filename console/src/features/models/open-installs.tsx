import { isLive, type Operation } from '../../api/operation-state';
import { OperationFailure } from '../../components/operation-failure';
import { OperationProgress } from '../../components/operation-progress';
import classes from './models.module.css';

/** Models on their way, and those that did not arrive: they are in no inventory. */
export function OpenInstalls({ operations }: { readonly operations: readonly Operation[] }) {
  if (operations.length === 0) return null;
  return (
    <ul className={classes.installs} aria-label="Installs in progress or failed">
      {operations.map((operation) => (
        <li key={operation.id}>
          <span>
            <strong>
              <bdi>{operation.model ?? operation.source}</bdi>
            </strong>{' '}
            <span className={classes.quiet}>on {operation.node_name}</span>
          </span>
          {isLive(operation) ? <OperationProgress operation={operation} /> : <OperationFailure operation={operation} />}
        </li>
      ))}
    </ul>
  );
}
