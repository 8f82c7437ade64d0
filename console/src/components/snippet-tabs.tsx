import { useState } from 'react';
import { Choice } from './choice';
import { CodeBlock } from './code-block';
import classes from './snippet-tabs.module.css';

export interface Snippet {
  /** Of the tab: "curl", "OpenAI (Python)". */
  readonly name: string;
  readonly code: string;
  /** Where it goes: a file name or "Terminal". */
  readonly title?: string;
  /** One line above: what to install. */
  readonly note?: string;
}

interface SnippetTabsProps {
  readonly snippets: readonly Snippet[];
  readonly label: string;
  readonly onCopied?: () => void;
}

/** The same thing for several tools; one is shown. */
export function SnippetTabs({ snippets, label, onCopied }: SnippetTabsProps) {
  const [chosen, choose] = useState(snippets[0]?.name);
  const snippet = snippets.find(({ name }) => name === chosen) ?? snippets[0];
  const names = snippets.map(({ name }) => ({ value: name, label: name }));
  if (snippet === undefined) return null;
  return (
    <div className={classes.snippets}>
      <Choice label={label} data={names} value={snippet.name} onChange={choose} />
      {snippet.note !== undefined && <p className={classes.note}>{snippet.note}</p>}
      <CodeBlock
        code={snippet.code}
        label={snippet.name}
        onCopied={onCopied}
        {...(snippet.title !== undefined && { title: snippet.title })}
      />
    </div>
  );
}
