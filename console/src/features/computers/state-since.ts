import { sinceTime } from '../../components/format';
import { nodeState, type Node, type StateInWords } from '../../components/node-facts';

/** As `nodeState`, with the time where nothing else says it: `Offline since 14:02`. */
export function stateSince(node: Node, isGone: boolean): StateInWords {
  const state = nodeState(node, isGone);
  if (state.label !== 'offline' || node.last_seen === null) return state;
  return { ...state, label: `Offline since ${sinceTime(node.last_seen, Date.now())}` };
}
