import { subjectOf } from './operation-command.js';
import type { OperationJob } from './operation-job.js';

export const MAX_RUNNING_OPERATIONS = 8;
/** Two downloads share one line and one disk well enough. */
export const MAX_RUNNING_INSTALLS = 2;

/**
 * Which jobs may begin now: the oldest first, but none beside another of the same subject.
 * @param jobs in the order in which they came
 * @param running also such as were cancelled and whose engine has not let go yet: it still works on its model
 */
export function mayBegin(jobs: Iterable<OperationJob>, running: Iterable<OperationJob>): OperationJob[] {
  const atWork = [...running];
  const busy = new Set(atWork.map(({ command }) => subjectOf(command)));
  const chosen: OperationJob[] = [];
  for (const job of jobs) {
    const subject = subjectOf(job.command);
    if (job.state === 'queued' && !busy.has(subject) && hasRoomFor(job, atWork)) {
      chosen.push(job);
      atWork.push(job);
    }
    busy.add(subject);
  }
  return chosen;
}

const isInstall = ({ command }: OperationJob): boolean => command.verb === 'install';

const hasRoomFor = (job: OperationJob, atWork: readonly OperationJob[]): boolean =>
  atWork.length < MAX_RUNNING_OPERATIONS && (!isInstall(job) || atWork.filter(isInstall).length < MAX_RUNNING_INSTALLS);
