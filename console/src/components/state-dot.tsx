import classes from './state-dot.module.css';

/** The five states of everything: colour is never used for anything else. */
export type State = 'serving' | 'working' | 'attention' | 'failed' | 'off';

interface StateDotProps {
  readonly state: State;
  /** The state in words; shown beside the dot, or only to screen readers with `hidden`. */
  readonly label: string;
  readonly hidden?: boolean;
}

export function StateDot({ state, label, hidden = false }: StateDotProps) {
  return (
    <span className={classes.state} data-state={state} title={hidden ? label : undefined}>
      <span className={classes.dot} aria-hidden="true" />
      <span className={hidden ? classes.hidden : classes.label}>{label}</span>
    </span>
  );
}
