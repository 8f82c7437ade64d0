import classes from './cut-text.module.css';

/** Shorter texts are not cut, or only at the end. */
const CUT_FROM = 14;
/** Versions and quantizations stand there. */
const END = 7;

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
export function CutText({ text, endLength = END }: CutTextProps) {
  if (text.length < CUT_FROM || RIGHT_TO_LEFT.test(text)) {
    return (
      <bdi className={classes.whole} title={text}>
        {text}
      </bdi>
    );
  }
  const end = text.length - (isSecondHalf(text.charCodeAt(text.length - endLength)) ? endLength + 1 : endLength);
  return (
    <bdi className={classes.cut} title={text} data-end={text.slice(end)}>
      <span className={classes.start}>
        {text.slice(0, end)}
        <span className={classes.rest}>{text.slice(end)}</span>
      </span>
    </bdi>
  );
}

/** Of a character that takes two code units, such as an emoji. */
const isSecondHalf = (codeUnit: number): boolean => codeUnit >= 0xdc_00 && codeUnit <= 0xdf_ff;
