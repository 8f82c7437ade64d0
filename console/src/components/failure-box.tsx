import { CommandChoice } from './command-choice';
import { nextStepOf, type FailedRequest } from './next-step';
import classes from './next-steps.module.css';
import { nodeCommands } from './node-commands';
import { PlaceLink } from './place-link';

/** Below the words of a failed request: what to do about it, and the way there. Nothing where nothing is known that helps. */
export function NextSteps({ of: request }: { readonly of: FailedRequest }) {
  const step = nextStepOf(request);
  if (step === undefined) return null;
  return (
    <div className={classes.next}>
      <div className={classes.advice}>
        <h2>What to do next</h2>
        <p>{step.advice}</p>
      </div>
      {step.place !== undefined && <PlaceLink place={step.place} />}
      {step.command !== undefined && (
        <div className={classes.command}>
          <CommandChoice commands={nodeCommands(step.command)} />
        </div>
      )}
    </div>
  );
}
