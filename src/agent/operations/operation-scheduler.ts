import { subjectOf } from './operation-command.js';
import type { NodeOperation } from './node-operation.js';

export const MAX_RUNNING_OPERATIONS = 8;
/** More downloads at once do not go faster over one network and disk. */
export const MAX_RUNNING_INSTALLS = 2;

/**
 * Which operations may begin now: the oldest first, but none beside another of the same subject.
 * @param operations in the order in which they came
 * @param running includes cancelled operations whose engine has not stopped yet
 */
export function startable(operations: Iterable<NodeOperation>, running: Iterable<NodeOperation>): NodeOperation[] {
  const active = [...running];
  const busy = new Set(active.map(({ command }) => subjectOf(command)));
  const chosen: NodeOperation[] = [];
  for (const operation of operations) {
    const subject = subjectOf(operation.command);
    if (operation.state === 'queued' && !busy.has(subject) && hasRoomFor(operation, active)) {
      chosen.push(operation);
      active.push(operation);
    }
    busy.add(subject);
  }
  return chosen;
}

const isInstall = ({ command }: NodeOperation): boolean => command.verb === 'install';

const hasRoomFor = (operation: NodeOperation, active: readonly NodeOperation[]): boolean =>
  active.length < MAX_RUNNING_OPERATIONS &&
  (!isInstall(operation) || active.filter(isInstall).length < MAX_RUNNING_INSTALLS);
