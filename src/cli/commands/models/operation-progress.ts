import type { Invocation } from '../../invocation.js';
import { printable } from '../../../kernel/printable.js';
import { inJsonForm } from '../../core/output/json-form.js';
import { createProgressLine, type ProgressState } from '../../core/output/progress-line.js';
import { transferDetail } from '../../core/output/quantities.js';
import { describePlace, isOver, shortSubjectOf, subjectOf } from './operation.js';
import type { Schemas } from '../../core/api/management-api.types.js';

/** Shows the progress of an operation. */
export interface OperationProgress {
  update(operation: Schemas['Operation']): void;
  /** The relay cannot be reached; the operation continues. */
  lost(): void;
  stop(): void;
}

/** For programs, each state is one line on stdout; for people, progress is drawn or printed on stderr. */
export async function createOperationProgress({ terminal, global }: Invocation): Promise<OperationProgress> {
  if (global.output === 'json') {
    return {
      update: (operation) => {
        if (!isOver(operation)) terminal.print(JSON.stringify(inJsonForm({ type: 'progress', ...operation })));
      },
      lost: () => undefined,
      stop: () => undefined,
    };
  }
  const line = await createProgressLine(terminal);
  let last: ProgressState | undefined;
  return {
    update: (operation) => {
      last = progressOf(operation);
      if (!isOver(operation)) line.update(last);
    },
    lost: () => {
      if (last !== undefined) line.update({ ...last, detail: 'waiting for the relay to come back' });
    },
    stop: () => {
      line.stop();
    },
  };
}

export function progressOf(operation: Schemas['Operation']): ProgressState {
  const { completed_bytes: completed, total_bytes: total } = operation;
  const counted = completed !== null && total !== null && total > 0;
  const [subject, whole] = [shortSubjectOf(operation), subjectOf(operation)];
  return {
    label: printable(describePlace(operation)),
    subject: printable(subject),
    fraction: counted ? Math.min(1, completed / total) : null,
    detail: printable(detailOf(operation)),
    origin: subject === whole ? '' : printable(whole),
  };
}

/** `3.2/5.2 GB  48.0 MB/s  00:41`; before anything is counted the phase. */
export function detailOf(operation: Schemas['Operation']): string {
  if (!operation.node_online) return 'the node is offline; it goes on there';
  if (operation.cancel_requested) return 'being cancelled';
  const { completed_bytes: completed, total_bytes: total, bytes_per_second: speed } = operation;
  const parts = completed !== null && operation.phase === 'downloading' ? [] : [operation.phase ?? operation.state];
  if (completed !== null) parts.push(transferDetail(completed, total, speed));
  return parts.join('  ');
}
