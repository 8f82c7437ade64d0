import { codeWords } from './format';
import type { LoggedRequest } from './logged-request';
import classes from './logged-request.module.css';
import { outcomeOf } from './outcomes';
import { StateDot } from './state-dot';

/** How a request ended, and below it why it failed. */
export function RequestOutcome({ outcome, code, message }: Pick<LoggedRequest, 'outcome' | 'code' | 'message'>) {
  const { state, label } = outcomeOf(outcome);
  return (
    <>
      <StateDot state={state} label={label} />
      {code !== null && (
        <div className={classes.code} title={message ?? undefined}>
          {codeWords(code)}
        </div>
      )}
    </>
  );
}
