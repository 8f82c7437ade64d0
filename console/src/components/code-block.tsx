import { useRef, type ReactNode } from 'react';
import classes from './code-block.module.css';
import { CopyWordButton } from './copy-word-button';
import { useHiddenEnds } from './use-hidden-ends';

interface CodeBlockProps {
  readonly code: string;
  /** What is copied, for the name of the button: "Copy command". */
  readonly label?: string;
  /** Shown above: a file name or a language. What may be longer than a line of a phone needs one, as the button then stands beside it. */
  readonly title?: string;
  /** Breaks long lines instead of scrolling: for secrets and single commands. */
  readonly wrap?: boolean;
  /** The same text in colours. Absent: the text alone. */
  readonly children?: ReactNode;
  readonly onCopied?: (() => void) | undefined;
}

/** Text in monospace with a button that copies all of it. */
export function CodeBlock({ code, label = 'code', title, wrap = false, onCopied, children }: CodeBlockProps) {
  const scrolled = useRef<HTMLPreElement>(null);
  const hidden = useHiddenEnds(scrolled);
  return (
    <div className={classes.block} data-titled={title !== undefined || undefined}>
      {/* Before the code, also for the keyboard: in a dialog it is the first thing that one does. */}
      <div className={classes.head}>
        {title !== undefined && <span className={classes.title}>{title}</span>}
        <CopyWordButton text={code} label={label} onCopied={onCopied} first />
      </div>
      {/* Reachable by keyboard, because it scrolls sideways. */}
      <pre
        ref={scrolled}
        className={classes.code}
        data-wrap={wrap ? (/\s/.test(code) ? 'words' : 'word') : undefined}
        data-hidden={hidden}
        tabIndex={0}
        role="group"
        aria-label={title ?? label}
      >
        <code>{children ?? code}</code>
      </pre>
    </div>
  );
}
