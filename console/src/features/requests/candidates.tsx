import { duration, NONE } from '../../components/format';
import { slotsText } from '../../components/node-facts';
import classes from './candidates.module.css';
import { rankedCandidates, reasonText, type Candidate } from './explain-request';
import shared from '../../components/plain-table.module.css';

interface CandidatesProps {
  readonly candidates: readonly Candidate[];
  readonly chosen: string | null;
}

/** A computer has more of them: those of all its models. */
const SLOTS = 'Slots in use, this model';

/**
 * Every computer that was considered: its predicted time as a bar, and the reason why it was or was not chosen. Roles are given by hand: on a
 * phone each row is a block, and browsers then forget that it is one of a table.
 */
export function Candidates({ candidates, chosen }: CandidatesProps) {
  const longest = Math.max(1, ...candidates.map(({ cost_ms }) => cost_ms ?? 0));
  return (
    <table className={`${shared.plain} ${classes.table}`} role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader">Computer</th>
          <th role="columnheader">Predicted total</th>
          <th role="columnheader">{SLOTS}</th>
          <th role="columnheader">Result</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rankedCandidates(candidates, chosen).map((candidate) => {
          const { node_id, node_name, cost_ms, slots, reason } = candidate;
          const isChosen = node_id === chosen;
          return (
            <tr key={node_id} role="row" data-chosen={isChosen || undefined}>
              <th role="rowheader">{node_name}</th>
              <td role="cell">
                <span className={classes.bar}>
                  <span className={classes.track} aria-hidden="true">
                    <span className={classes.fill} style={{ width: `${((cost_ms ?? 0) / longest) * 100}%` }} />
                  </span>
                  <span className={classes.cost}>{duration(cost_ms)}</span>
                </span>
              </td>
              <td role="cell" data-label={SLOTS}>
                {slots === null ? NONE : slotsText({ used: slots.used, total: slots.usable })}
              </td>
              <td role="cell">{isChosen ? <strong>Chosen</strong> : reasonText(reason)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
