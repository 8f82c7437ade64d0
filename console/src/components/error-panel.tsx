import { Button } from '@mantine/core';
import { ApiProblem } from '../api/api-problem';
import classes from './error-panel.module.css';
import { FailureFacts } from './failure-facts';
import shared from './failure.module.css';
import { SignInAgain } from './sign-in-again';

interface ErrorPanelProps {
  readonly error: unknown;
  /** Named in the first line: "Models could not be loaded". */
  readonly title?: string;
  readonly onRetry?: () => void;
  /** What a command line does instead where a recent sign-in is needed. */
  readonly command?: string;
}

/** A failure in the words of the relay or the engine, with its status, its request id, and a way to try again. */
export function ErrorPanel({ error, title, onRetry, command }: ErrorPanelProps) {
  const { status, code, message, requestId } = ApiProblem.of(error);
  const isOldSignIn = code === 'recent_sign_in_needed';
  return (
    <div role="alert" className={`${shared.box} ${classes.panel}`}>
      {title !== undefined && <p className={classes.title}>{title}</p>}
      {/* The relay's words are for programs: they name a setting. */}
      <p className={shared.words}>{isOldSignIn ? 'This needs a sign-in of the last minutes.' : message}</p>
      <p className={shared.facts}>
        <FailureFacts status={status} code={code} requestId={requestId} />
      </p>
      {(isOldSignIn || onRetry !== undefined) && (
        <div className={`${shared.buttons} ${classes.actions}`}>
          {isOldSignIn && <SignInAgain {...(command !== undefined && { command })} />}
          {onRetry !== undefined && (
            <Button size="xs" variant="default" onClick={onRetry}>
              Retry
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
