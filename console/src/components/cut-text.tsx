import { watchGap } from './watch-gap';
import { cutPosition } from './cut-position';
import classes from './cut-text.module.css';

/** Hebrew, Arabic and related scripts, of which the browser orders the parts itself. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

interface CutTextProps {
  readonly text: string;
  /** Characters of the end that are always shown. Where an ellipsis stands before them, no second one is shown. */
  readonly endLength?: number;
}

/**
 * A name or an id on one line: cut in the middle where it has no room, since both ends tell models and files apart. It is what somebody else
 * chose, so its direction does not change what stands around it.
 */
export function CutText({ text, endLength }: CutTextProps) {
  const end = RIGHT_TO_LEFT.test(text) ? null : cutPosition(text, endLength);
  if (end === null) {
    return (
      <bdi className={classes.whole} title={text}>
        {text}
      </bdi>
    );
  }
  return (
    <bdi className={classes.cut} title={text} data-end={text.slice(end)}>
      <span ref={watchGap} className={classes.start}>
        {text.slice(0, end)}
        <span className={classes.rest}>{text.slice(end)}</span>
      </span>
    </bdi>
  );
}
