import { CommandChoice } from '../../components/command-choice';
import { LinkButton } from '../../components/link-button';
import { nodeCommands } from '../../components/node-commands';
import { outcomeOf } from '../../components/outcomes';
import { TextWithCode } from '../../components/text-with-code';
import { nextStepOf, type Place } from './next-step';
import classes from './request-failure.module.css';
import type { LoggedRequest } from './request-log';

/** Why it failed, in the words of the engine or the relay, and what to do about it. */
export function RequestFailure({ row }: { readonly row: LoggedRequest }) {
  if (row.code === null) return null;
  const step = nextStepOf(row);
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
      {step !== undefined && (
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
      )}
    </section>
  );
}

function PlaceLink({ place }: { readonly place: Place }) {
  const look = { variant: 'default', size: 'xs' } as const;
  switch (place.kind) {
    case 'computer':
      return (
        <LinkButton {...look} to="/computers/$nodeId" params={{ nodeId: place.nodeId }}>
          Open {place.name}
        </LinkButton>
      );
    case 'model':
      return (
        <LinkButton {...look} to="/models" search={{ q: place.name }}>
          Open the model
        </LinkButton>
      );
    case 'models':
      return (
        <LinkButton {...look} to="/models">
          Open the models
        </LinkButton>
      );
    case 'key':
      return (
        <LinkButton {...look} to="/keys" search={{ q: place.keyId }}>
          Open the key
        </LinkButton>
      );
    case 'new-key':
      return (
        <LinkButton {...look} to="/keys" search={{ create: '1' }}>
          Create a key
        </LinkButton>
      );
    case 'add-computer':
      return (
        <LinkButton {...look} to="/computers" search={{ add: '1' }}>
          Add a computer
        </LinkButton>
      );
  }
}
