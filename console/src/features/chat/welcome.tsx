import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { nodesQuery } from '../../api/queries';
import { StateDot } from '../../components/state-dot';
import classes from './welcome.module.css';
import { servingText, type ModelChoice } from './model-choice';

interface WelcomeProps {
  /** Which answer: one, or two side by side. */
  readonly models: readonly ModelChoice[];
  readonly cluster: string | undefined;
  readonly keepsHistory: boolean;
  readonly onSuggest: (question: string) => void;
  /** undefined: no chat has been closed. */
  readonly onUndoNew: (() => void) | undefined;
}

const suggestions = [
  'Explain how a heat pump works, in five sentences.',
  'Write a shell script that renames photos by their date.',
  'Plan three quick dinners with a shopping list.',
] as const;

/** A chat without a question: which model will answer, where, and with how much context. */
export function Welcome({ models, cluster, keepsHistory, onSuggest, onUndoNew }: WelcomeProps) {
  const { data: nodes = [] } = useQuery(nodesQuery);
  return (
    <div className={classes.welcome}>
      {models.map((model, index) => (
        <div key={index}>
          <h2>
            <bdi>{model.id}</bdi>
          </h2>
          <p className={classes.serving}>
            {model.loaded ? <StateDot state="serving" label="Loaded" /> : <StateDot state="off" label="Not loaded" />}
            <span>{servingText(nodes, model.selector, cluster)}</span>
          </p>
        </div>
      ))}
      {models.length > 0 && models.every(({ loaded }) => loaded) && (
        <ul className={classes.suggestions} aria-label="Examples">
          {suggestions.map((suggestion) => (
            <li key={suggestion}>
              <button type="button" onClick={() => onSuggest(suggestion)}>
                {suggestion}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p>
        {keepsHistory
          ? 'Chats are kept in this browser until you sign out, and nowhere else.'
          : 'This chat is kept in this tab until it is closed, and nowhere else.'}
      </p>
      {onUndoNew !== undefined && (
        <Button size="compact-sm" variant="default" onClick={onUndoNew}>
          Undo: back to the last chat
        </Button>
      )}
    </div>
  );
}
