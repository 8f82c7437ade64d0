import type { ReactNode } from 'react';
import { CopyButton } from './copy-id';
import classes from './code-block.module.css';

interface CodeBlockProps {
  readonly code: string;
  /** What is copied, for the name of the button: "Copy command". */
  readonly label?: string;
  /** Shown above: a file name or a language. */
  readonly title?: string;
  /** Breaks long lines instead of scrolling: for secrets and single commands. */
  readonly wrap?: boolean;
  /** The same text in colours. Absent: the text alone. */
  readonly children?: ReactNode;
  readonly onCopied?: (() => void) | undefined;
}

/** Text in monospace with a button that copies all of it. */
export function CodeBlock({ code, label = 'code', title, wrap = false, onCopied, children }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      {title !== undefined && <div className={classes.title}>{title}</div>}
      <div className={classes.body}>
        {/* Before the code, so that it can float beside it on a phone. */}
        <div className={classes.copy}>
          <CopyButton text={code} label={label} onCopied={onCopied} first />
        </div>
        {/* Reachable by keyboard, because it scrolls sideways. */}
        <pre
          className={classes.code}
          data-wrap={wrap || undefined}
          tabIndex={0}
          role="group"
          aria-label={title ?? label}
        >
          <code>{children ?? code}</code>
        </pre>
      </div>
    </div>
  );
}
