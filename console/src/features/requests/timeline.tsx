import { duration } from '../../components/format';
import { firstTokenOf, totalOf, type Phases } from './explain-request';
import classes from './timeline.module.css';
import shared from '../../components/plain-table.module.css';

interface TimelineProps {
  /** null: the relay does not remember. */
  readonly predicted: Phases | null;
  /** null: it is not in the log yet. */
  readonly actual: Phases | null;
}

const phaseNames = { queue: 'Queue', prefill: 'Prefill', decode: 'Decode' } as const;
const phaseKeys = ['queue', 'prefill', 'decode'] as const;

/** Predicted and actual time of a request on the same scale; the numbers stand in the table below. */
export function Timeline({ predicted, actual }: TimelineProps) {
  const longest = Math.max(1, ...[predicted, actual].flatMap((phases) => (phases === null ? [] : [totalOf(phases)])));
  return (
    <>
      <div className={classes.bars} aria-hidden="true">
        <Bar label="Predicted" phases={predicted} longest={longest} />
        <Bar label="Actual" phases={actual} longest={longest} />
        <div className={classes.legend}>
          {phaseKeys.map((phase) => (
            <span key={phase} className={classes.entry} data-phase={phase}>
              {phaseNames[phase]}
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
          {phaseKeys.map((phase) => (
            <tr key={phase}>
              <th scope="row">{phaseNames[phase]}</th>
              <td>{duration(predicted?.[phase])}</td>
              <td>{duration(actual?.[phase])}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">First token</th>
            <td>{duration(predicted && firstTokenOf(predicted))}</td>
            <td>{duration(actual && firstTokenOf(actual))}</td>
          </tr>
          <tr data-total>
            <th scope="row">Total</th>
            <td>{duration(predicted && totalOf(predicted))}</td>
            <td>{duration(actual && totalOf(actual))}</td>
          </tr>
        </tbody>
      </table>
    </>
  );
}

function Bar({ label, phases, longest }: { label: string; phases: Phases | null; longest: number }) {
  return (
    <>
      <span className={classes.label}>{label}</span>
      <span className={classes.track}>
        {phases !== null &&
          phaseKeys.map((phase) => (
            <span
              key={phase}
              className={classes.part}
              data-phase={phase}
              style={{ width: `${((phases[phase] ?? 0) / longest) * 100}%` }}
            />
          ))}
      </span>
      <span className={classes.sum}>{duration(phases && totalOf(phases))}</span>
    </>
  );
}
