import { duration } from '../../components/format';
import { slotsText } from '../../components/node-facts';
import classes from './candidates.module.css';
import { rankedCandidates, reasonText, type Candidate } from './explain-request';
import shared from '../../components/plain-table.module.css';

interface CandidatesProps {
  readonly candidates: readonly Candidate[];
  readonly chosen: string | null;
}

/** Every computer that was considered: its predicted time as a bar, and the reason why it was or was not chosen. */
export function Candidates({ candidates, chosen }: CandidatesProps) {
  const longest = Math.max(1, ...candidates.map(({ cost_ms }) => cost_ms ?? 0));
  return (
    <table className={`${shared.plain} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">Computer</th>
          <th scope="col">Predicted total</th>
          <th scope="col">Slots</th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {rankedCandidates(candidates, chosen).map((candidate) => {
          const { node_id, node_name, cost_ms, slots, reason } = candidate;
          const isChosen = node_id === chosen;
          return (
            <tr key={node_id} data-chosen={isChosen || undefined}>
              <th scope="row">{node_name}</th>
              <td>
                <span className={classes.bar}>
                  <span className={classes.track} aria-hidden="true">
                    <span className={classes.fill} style={{ width: `${((cost_ms ?? 0) / longest) * 100}%` }} />
                  </span>
                  <span className={classes.cost}>{duration(cost_ms)}</span>
                </span>
              </td>
              <td>{slots === null ? '–' : slotsText({ used: slots.used, total: slots.usable })}</td>
              <td>{isChosen ? <strong>Chosen</strong> : reasonText(reason)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
