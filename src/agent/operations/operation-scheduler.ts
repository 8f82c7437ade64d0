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
  const atWork = [...running];
  const busy = new Set(atWork.map(({ command }) => subjectOf(command)));
  const chosen: NodeOperation[] = [];
  for (const operation of operations) {
    const subject = subjectOf(operation.command);
    if (operation.state === 'queued' && !busy.has(subject) && hasRoomFor(operation, atWork)) {
      chosen.push(operation);
      atWork.push(operation);
    }
    busy.add(subject);
  }
  return chosen;
}

const isInstall = ({ command }: NodeOperation): boolean => command.verb === 'install';

const hasRoomFor = (operation: NodeOperation, atWork: readonly NodeOperation[]): boolean =>
  atWork.length < MAX_RUNNING_OPERATIONS &&
  (!isInstall(operation) || atWork.filter(isInstall).length < MAX_RUNNING_INSTALLS);
