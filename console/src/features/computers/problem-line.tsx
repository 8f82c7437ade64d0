import { Popover, UnstyledButton } from '@mantine/core';
import { AttentionIcon } from '../../components/icons';
import { CodeBlock } from '../../components/code-block';
import { dateOf } from '../../components/format';
import type { Node } from '../../components/node-facts';
import classes from './computers.module.css';
import { remedyOf } from './remedy';

/** "Engine ollama cannot be reached since 14:02 · How to fix" */
export function ProblemLine({ node }: { readonly node: Node }) {
  const remedy = remedyOf(node);
  if (remedy === null) return null;
  return (
    <span className={classes.problem}>
      <AttentionIcon size={14} />
      <span>
        {remedy.problem}
        {node.problem_since !== null && ` Since ${clockTime(node.problem_since)}.`}{' '}
        <Popover width={360} withArrow position="bottom-start">
          <Popover.Target>
            <UnstyledButton className={classes.fix}>How to fix</UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown>
            <p className={classes.remedy}>{remedy.advice}</p>
            {remedy.command !== undefined && <CodeBlock code={remedy.command} label="command" wrap />}
          </Popover.Dropdown>
        </Popover>
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
