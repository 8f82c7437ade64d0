import type { ManagementApi } from '../../core/api/management-api.js';
import { CliError } from '../../core/errors/cli-error.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes, type ExitCode } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printable } from '../../../kernel/printable.js';
import { untilStopped } from '../../core/supervision/stop-signals.js';
import { followOperation } from './follow-operation.js';
import { createOperationProgress } from './operation-progress.js';
import { describeDoing, describeDone, subjectOf } from './operation.js';
import type { Schemas } from '../../core/api/management-api.types.js';

/**
 * Shows an operation until it has succeeded. Ctrl-C leaves it to its node: the command ends, the operation does not.
 * @param interrupted where a terminal in raw mode turns Ctrl-C into something else than a signal
 * @throws CliError when it failed or was cancelled, CommandEnded after Ctrl-C
 */
export async function watchOperation(
  invocation: Invocation,
  api: ManagementApi,
  operation: Schemas['Operation'],
  interrupted?: AbortSignal,
): Promise<Schemas['Operation']> {
  const over = await followUntilStopped(invocation, api, operation, interrupted);
  if (over === undefined) {
    await sayDetached(invocation, operation);
    throw new CommandEnded(exitCodes.interrupted);
  }
  if (over.state !== 'succeeded') {
    await printResult(invocation, over);
    throw failureOf(over);
  }
  invocation.terminal.note(`✓ ${printable(describeDone(over))}.`);
  return over;
}

/** The last line, for programs that read the output. */
export const printResult = (invocation: Invocation, operation: Schemas['Operation']): Promise<void> =>
  printData(invocation, { type: 'result', ...operation }, silently);

export async function sayDetached(invocation: Invocation, operation: Schemas['Operation']): Promise<void> {
  const { note } = invocation.terminal;
  note(`${printable(describeDoing(operation))} goes on there.`);
  note(`  watch it:  ferry models jobs watch ${operation.id}`);
  note(`  stop it:   ferry models jobs cancel ${operation.id}`);
  await printResult(invocation, operation);
}

const followUntilStopped = (
  invocation: Invocation,
  api: ManagementApi,
  operation: Schemas['Operation'],
  interrupted?: AbortSignal,
): Promise<Schemas['Operation'] | undefined> =>
  untilStopped(async (stop) => {
    const progress = await createOperationProgress(invocation);
    try {
      progress.update(operation);
      const signal = interrupted === undefined ? stop : AbortSignal.any([stop, interrupted]);
      return await followOperation(api, operation.id, progress, signal);
    } finally {
      progress.stop();
    }
  });

/** Failures with their own exit code. */
const exitCodesOfFailures: Readonly<Record<string, ExitCode>> = {
  unknown_model: exitCodes.notFound,
  unknown_engine: exitCodes.notFound,
};

function failureOf(operation: Schemas['Operation']): CliError {
  const { kind, failure, id } = operation;
  const what = `${kind} of ${subjectOf(operation)} on ${operation.node_name}`;
  if (failure === null)
    return new CliError('cancelled', exitCodes.failure, `${what} was cancelled`, {
      hint: 'the same command begins it again',
    });
  const exitCode = exitCodesOfFailures[failure.code] ?? exitCodes.failure;
  const [happened, advice] = adviceIn(failure.message);
  return new CliError(failure.code, exitCode, `${what} failed: ${happened}`, {
    hint: advice ?? `ferry models jobs --all  (${id})`,
  });
}

/** The node says what happened, and often in a last sentence what to do. */
function adviceIn(message: string): readonly [happened: string, advice: string | undefined] {
  const [, happened, advice] = /^(.*?)\. ([A-Z].*?)\.?$/s.exec(message) ?? [];
  return happened === undefined || advice === undefined
    ? [message, undefined]
    : [happened, advice.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())];
}
