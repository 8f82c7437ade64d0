import { CodeBlock } from './code-block';
import classes from './command-list.module.css';
import type { Command } from './node-commands';

/** Commands to copy, each below the computers for which it is. */
export function CommandList({ commands }: { readonly commands: readonly Command[] }) {
  return (
    <div className={classes.commands}>
      {commands.map(({ command, where }) => (
        <CodeBlock key={command} code={command} label={command} wrap {...(where !== undefined && { title: where })} />
      ))}
    </div>
  );
}
