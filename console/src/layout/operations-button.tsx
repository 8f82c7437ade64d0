import { OperationsIcon } from '../components/icons';
import { NavigationButton } from './navigation-button';
import classes from './navigation-button.module.css';
import { openOperations } from './operations-store';
import { countsText, useOperationCounts } from './use-operation-counts';

/** Opens the panel of operations, and counts what runs or has failed. @param wide shows the word on every screen */
export function OperationsButton({
  wide = false,
  onClick,
}: {
  readonly wide?: boolean;
  readonly onClick?: () => void;
}) {
  const counts = useOperationCounts();
  const text = countsText(counts);
  const shown = counts.failed > 0 ? counts.failed : counts.running;
  return (
    <NavigationButton
      icon={<OperationsIcon />}
      word={
        <>
          Operations
          {text !== '' && <span className={classes.hidden}>: {text}</span>}
        </>
      }
      wide={wide}
      aria-haspopup="dialog"
      title={text === '' ? 'Operations' : `Operations: ${text}`}
      onClick={() => {
        onClick?.();
        openOperations();
      }}
    >
      {shown > 0 && (
        <span className={classes.count} data-state={counts.failed > 0 ? 'failed' : 'working'} aria-hidden="true">
          {shown}
        </span>
      )}
    </NavigationButton>
  );
}
