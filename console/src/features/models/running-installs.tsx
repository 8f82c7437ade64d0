import type { Operation } from '../../api/operation-state';
import { OperationProgress } from '../../components/operation-progress';
import classes from './models.module.css';

/** Models on their way: they are in no inventory yet. */
export function RunningInstalls({ operations }: { readonly operations: readonly Operation[] }) {
  if (operations.length === 0) return null;
  return (
    <ul className={classes.installs} aria-label="Installs in progress">
      {operations.map((operation) => (
        <li key={operation.id}>
          <span>
            <strong>{operation.model ?? operation.source}</strong>{' '}
            <span className={classes.quiet}>on {operation.node_name}</span>
          </span>
          <OperationProgress operation={operation} />
        </li>
      ))}
    </ul>
  );
}
