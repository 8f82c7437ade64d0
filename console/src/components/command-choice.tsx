import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from './code-block';
import classes from './command-choice.module.css';
import type { Command } from './node-commands';

/** One command to copy: that of most computers. Where others are right on some, a choice stands before it. */
export function CommandChoice({ commands }: { readonly commands: readonly Command[] }) {
  const [chosen, choose] = useState(0);
  const command = commands[chosen] ?? commands[0];
  if (command === undefined) return null;
  return (
    <div className={classes.commands}>
      {commands.length > 1 && (
        <NativeSelect
          label="How Ferry is installed there"
          size="sm"
          data={commands.map(({ where = '' }, index) => ({ value: String(index), label: where }))}
          value={String(chosen)}
          onChange={({ currentTarget: { value } }) => choose(Number(value))}
        />
      )}
      <CodeBlock code={command.command} label="command" title={command.shell ?? 'Terminal'} wrap />
    </div>
  );
}
