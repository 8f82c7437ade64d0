import { AttentionIcon } from '../../components/icons';
import { dateOf } from '../../components/format';
import type { Node } from '../../components/node-facts';
import { HelpButton } from '../../components/help-button';
import { remedyOf } from '../../components/remedy';
import classes from './computers.module.css';

/** "Engine ollama cannot be reached since 14:02 · How to fix" */
export function ProblemLine({ node }: { readonly node: Node }) {
  const remedy = remedyOf(node);
  if (remedy === null) return null;
  const { problem, ...help } = remedy;
  return (
    <span className={classes.problem}>
      <AttentionIcon size={14} />
      <span>
        {problem}
        {node.problem_since !== null && ` Since ${clockTime(node.problem_since)}.`}{' '}
        <HelpButton label="How to fix" {...help} />
      </span>
    </span>
  );
}

const DAY_MS = 86_400_000;

/** The time of today, or the date too. */
function clockTime(seconds: number): string {
  const date = dateOf(seconds);
  const old = Date.now() - date.getTime() > DAY_MS;
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'short', ...(old && { dateStyle: 'medium' }) }).format(date);
}
