import { AttentionIcon } from '../../components/icons';
import { sinceTime } from '../../components/format';
import { isGone, type GoneNodes } from '../../components/gone-nodes';
import type { Node } from '../../components/node-facts';
import { HelpButton } from '../../components/help-button';
import { remedyOf } from '../../components/remedy';
import classes from './computers.module.css';

interface ProblemLineProps {
  readonly node: Node;
  readonly gone: GoneNodes;
  /** The page says itself what to do. */
  readonly withoutHelp?: boolean;
}

/** "Engine ollama cannot be reached since 14:02 · How to fix" */
export function ProblemLine({ node, gone, withoutHelp = false }: ProblemLineProps) {
  const hasGone = isGone(gone, node);
  const remedy = remedyOf(node, hasGone);
  if (remedy === null) return null;
  const { problem, ...help } = remedy;
  const since = hasGone ? gone.get(node.node_id) : node.problem_since;
  return (
    <span className={classes.problem}>
      <AttentionIcon size={14} />
      <span>
        {problem}
        {since != null && ` Since ${sinceTime(since, Date.now())}.`}{' '}
        {!withoutHelp && <HelpButton label="How to fix" {...help} />}
      </span>
    </span>
  );
}
