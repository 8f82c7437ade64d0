import { CommandChoice } from '../../components/command-choice';
import { nodeCommands } from '../../components/node-commands';
import type { Node } from '../../components/node-facts';
import classes from './start-panel.module.css';

/** What brings an offline computer back: of its page the first thing to know. */
export function StartPanel({ node }: { readonly node: Node }) {
  return (
    <section className={classes.panel} aria-labelledby="start">
      <h2 id="start" className={classes.title}>
        Bring this computer back
      </h2>
      <p className={classes.advice}>Switch it on. If Ferry does not start by itself there, start it:</p>
      <div className={classes.commands}>
        <CommandChoice commands={nodeCommands('run', node.platform)} />
      </div>
    </section>
  );
}
