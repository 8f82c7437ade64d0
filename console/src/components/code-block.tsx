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
}

/** Text in monospace with a button that copies all of it. */
export function CodeBlock({ code, label = 'code', title, wrap = false }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      {title !== undefined && <div className={classes.title}>{title}</div>}
      {/* Reachable by keyboard, because it scrolls sideways. */}
      <pre className={classes.code} data-wrap={wrap || undefined} tabIndex={0} role="group" aria-label={title ?? label}>
        <code>{code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton text={code} label={label} />
      </div>
    </div>
  );
}
