import { subjectOf } from './operation-command.js';
import type { NodeOperation } from './node-operation.js';

export const MAX_RUNNING_OPERATIONS = 8;
/** Two downloads share one line and one disk well enough. */
export const MAX_RUNNING_INSTALLS = 2;

/**
 * Which operations may begin now: the oldest first, but none beside another of the same subject.
 * @param operations in the order in which they came
 * @param running also such as were cancelled and whose engine has not let go yet: it still works on its model
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
