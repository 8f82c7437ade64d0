import classes from './meter.module.css';

interface MeterProps {
  readonly used: number;
  readonly total: number;
  /** What is measured, for screen readers: "Memory of studio". */
  readonly label: string;
  /** Shown below or beside: "41 of 64 GB". */
  readonly text?: string;
  /** Drawn as that many separate cells, as slots are; up to 12. */
  readonly cells?: boolean;
  /** As wide as its place. */
  readonly wide?: boolean;
  /** The text is a value above the bar, rather than a note below it. */
  readonly figure?: boolean;
}

const MOST_CELLS = 12;
/** From here on a meter is amber: little is left. */
const NEARLY_FULL = 0.9;

/** A bar that is filled by a share. */
export function Meter({ used, total, label, text, cells = false, wide = false, figure = false }: MeterProps) {
  const share = total > 0 ? Math.min(1, Math.max(0, used / total)) : 0;
  const inCells = cells && total <= MOST_CELLS;
  return (
    <span className={classes.meter} data-wide={wide || undefined} data-figure={figure || undefined}>
      <span
        role="meter"
        aria-label={label}
        aria-valuenow={used}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuetext={text}
        className={classes.track}
        data-full={(!cells && share >= NEARLY_FULL) || undefined}
        data-cells={inCells || undefined}
      >
        {inCells
          ? Array.from({ length: total }, (_, index) => (
              <span key={index} className={classes.cell} data-used={index < used || undefined} />
            ))
          : share > 0 && <span className={classes.fill} style={{ width: `${share * 100}%` }} />}
      </span>
      {text !== undefined && <span className={classes.text}>{text}</span>}
    </span>
  );
}

interface ProgressProps {
  /** Between 0 and 1; null: not known yet. */
  readonly share: number | null;
  readonly label: string;
}

/** Work that has an end. */
export function ProgressBar({ share, label }: ProgressProps) {
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(share !== null && { 'aria-valuenow': Math.round(share * 100) })}
      className={classes.track}
      data-working
      data-unknown={share === null || undefined}
    >
      <span className={classes.fill} style={{ width: share === null ? '30%' : `${share * 100}%` }} />
    </span>
  );
}
