import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { CommandChoice } from './command-choice';
import classes from './failure-box.module.css';
import shared from './failure.module.css';
import type { NextStep } from './next-step';
import { nodeCommands } from './node-commands';
import { PlaceLink } from './place-link';
import type { State } from './state-dot';
import { TextWithCode } from './text-with-code';

interface FailureBoxProps {
  readonly state: State;
  /** Of the engine or the relay; null: it is not known. */
  readonly message: string | null;
  /** Below it: its code, and what else finds it in a log. */
  readonly facts: ReactNode;
  /** undefined: nothing is known that helps. */
  readonly step: NextStep | undefined;
  /** A button before that of the next step. */
  readonly action?: ReactNode;
  /** The next step is not known yet: its place is kept. */
  readonly isPending?: boolean;
}

/** Why a request failed, in the words of the engine or the relay, and what to do about it: on its page and in a chat. */
export function FailureBox({ state, message, facts, step, action, isPending = false }: FailureBoxProps) {
  const hasButtons = step?.place !== undefined || (action !== undefined && action !== null && action !== false);
  return (
    <div className={shared.box} data-state={state}>
      {message !== null && (
        <p className={`${shared.words} ${classes.words}`}>
          <bdi>
            <TextWithCode text={message} />
          </bdi>
        </p>
      )}
      <p className={shared.facts}>{facts}</p>
      {(step !== undefined || isPending || hasButtons) && (
        <div className={classes.next}>
          {step !== undefined && (
            <div className={classes.advice}>
              <h2>What to do next</h2>
              <p>{step.advice}</p>
            </div>
          )}
          {isPending && <Skeleton className={classes.advice} height={42} />}
          {hasButtons && (
            <div className={shared.buttons}>
              {action}
              {step?.place !== undefined && <PlaceLink place={step.place} />}
            </div>
          )}
          {step?.command !== undefined && (
            <div className={classes.command}>
              <CommandChoice commands={nodeCommands(step.command)} />
            </div>
          )}
        </div>
      )}
    </div>
  );
}
