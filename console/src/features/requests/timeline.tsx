import { duration } from '../../components/format';
import { asMeasured, firstTokenOf, phasesOf, type PhaseName, type Phases } from './explain-request';
import classes from './timeline.module.css';
import shared from '../../components/plain-table.module.css';

interface TimelineProps {
  /** null: the relay does not remember. */
  readonly predicted: Phases | null;
  /** null: it is not in the log yet. */
  readonly actual: Phases | null;
  /** A whole response has no first token. */
  readonly streamed: boolean;
}

/** The words of requests that run. */
const phaseWords: Readonly<Record<PhaseName, string>> = {
  queue: 'Waiting',
  prefill: 'Reading',
  decode: 'Generating',
  whole: 'Reading and generating',
};

/** Predicted and actual time of a request on the same scale; the numbers stand in the table below. */
export function Timeline({ predicted, actual, streamed }: TimelineProps) {
  const longest = Math.max(1, predicted?.total ?? 0, actual?.total ?? 0);
  const isWhole = actual?.whole != null;
  const expected = asMeasured(predicted, actual);
  const drawn = phasesOf(expected, actual);
  // What was measured as one is one row.
  const rows = isWhole ? (['queue', 'whole'] as const) : (['queue', 'prefill', 'decode'] as const);
  return (
    <>
      <div className={classes.bars} aria-hidden="true">
        <Bar label="Predicted" phases={expected} drawn={drawn} longest={longest} />
        <Bar label="Actual" phases={actual} drawn={drawn} longest={longest} />
        <div className={classes.legend}>
          {drawn.map((phase) => (
            <span key={phase} className={classes.entry} data-phase={phase}>
              {phaseWords[phase]}
            </span>
          ))}
        </div>
      </div>
      <table className={`${shared.plain} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">Phase</th>
            <th scope="col">Predicted</th>
            <th scope="col">Actual</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((phase) => (
            <tr key={phase}>
              <th scope="row">{phaseWords[phase]}</th>
              <td>{duration(expected?.[phase])}</td>
              <td>{duration(actual?.[phase])}</td>
            </tr>
          ))}
          <tr data-total>
            <th scope="row">Total</th>
            <td>{duration(predicted?.total)}</td>
            <td>{duration(actual?.total)}</td>
          </tr>
          {/* No phase: it is the end of one, so that it is not added to the others. */}
          {streamed && (
            <tr data-after>
              <th scope="row">First token after</th>
              <td>{duration(predicted && firstTokenOf(predicted))}</td>
              <td>{duration(actual && firstTokenOf(actual))}</td>
            </tr>
          )}
        </tbody>
      </table>
    </>
  );
}

interface BarProps {
  readonly label: string;
  readonly phases: Phases | null;
  readonly drawn: readonly PhaseName[];
  readonly longest: number;
}

function Bar({ label, phases, drawn, longest }: BarProps) {
  return (
    <>
      <span className={classes.label}>{label}</span>
      <span className={classes.track}>
        {phases !== null &&
          drawn.map((phase) => (
            <span
              key={phase}
              className={classes.part}
              data-phase={phase}
              style={{ width: `${((phases[phase] ?? 0) / longest) * 100}%` }}
            />
          ))}
      </span>
      <span className={classes.sum}>{duration(phases?.total)}</span>
    </>
  );
}
