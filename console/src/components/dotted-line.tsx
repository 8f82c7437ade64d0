import type { ReactElement } from 'react';
import classes from './dotted-line.module.css';

interface DottedLineProps {
  /** Short texts, such as what is known of a computer, and links. */
  readonly parts: readonly (string | ReactElement)[];
  /** What has no room is cut, of the first parts first. */
  readonly onOneLine?: boolean;
  readonly className?: string | undefined;
}

/** Facts with dots between them, and none at the end of a line where they take more than one. */
export function DottedLine({ parts, onOneLine = false, className }: DottedLineProps) {
  return (
    <span
      className={className === undefined ? classes.place : `${classes.place} ${className}`}
      title={parts.filter((part) => typeof part === 'string').join(' · ')}
    >
      <span className={classes.line} data-one={onOneLine || undefined}>
        {parts.map((part, index) => (
          <span key={index} className={classes.part}>
            {index > 0 && <span className={classes.dot}> · </span>}
            <bdi>{part}</bdi>
          </span>
        ))}
      </span>
    </span>
  );
}
