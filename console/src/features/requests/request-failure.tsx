import { NextSteps } from '../../components/next-steps';
import { outcomeOf } from '../../components/outcomes';
import { TextWithCode } from '../../components/text-with-code';
import classes from './request-failure.module.css';
import type { LoggedRequest } from '../../components/logged-request';

/** Why it failed, in the words of the engine or the relay, and what to do about it. */
export function RequestFailure({ row }: { readonly row: LoggedRequest }) {
  if (row.code === null) return null;
  return (
    <section className={classes.failure} data-state={outcomeOf(row.outcome).state} aria-label="Failure">
      {row.message !== null && (
        <p className={classes.words}>
          <bdi>
            <TextWithCode text={row.message} />
          </bdi>
        </p>
      )}
      <code className={classes.code}>{row.code}</code>
      <NextSteps of={row} />
    </section>
  );
}
