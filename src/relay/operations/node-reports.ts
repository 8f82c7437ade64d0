/** Applies a node's PROGRESS and RESULT to an operation. Texts and numbers of nodes are untrusted. */
import type { ProgressMessage, ResultMessage } from '../../link/messages.js';
import { printable } from '../../kernel/printable.js';
import { isLive, type Operation, type OperationFailure } from './operation.js';

const SHOWN_MESSAGE_CHARACTERS = 1_000;

export function withProgress(operation: Operation, message: ProgressMessage, now: Date): Operation {
  const { completed_bytes: completed, total_bytes: totalBytes } = message;
  return {
    ...operation,
    state: message.state,
    phase: printable(message.phase, message.state),
    completedBytes: completed === null || totalBytes === null ? completed : Math.min(completed, totalBytes),
    totalBytes,
    updatedAt: now,
  };
}

export function withResult(operation: Operation, message: ResultMessage, now: Date): Operation {
  const installed = operation.kind === 'install' && message.outcome === 'succeeded';
  return {
    ...operation,
    state: message.outcome,
    // An install learns the key of its model only from the result.
    modelKey: installed && message.model_key !== null ? shownOrNull(message.model_key) : operation.modelKey,
    completedBytes: installed ? operation.totalBytes : operation.completedBytes,
    failure: message.outcome === 'failed' ? failureOf(message) : null,
    updatedAt: now,
    finishedAt: now,
  };
}

export const failed = (operation: Operation, failure: OperationFailure, now: Date): Operation => ({
  ...operation,
  state: 'failed',
  failure,
  updatedAt: now,
  finishedAt: now,
});

/**
 * Reports that were not stored yet, on a row that something else has changed meanwhile: another relay with a report of the same node, or a
 * request to cancel. An outcome that is stored stands.
 */
export const rebased = (stored: Operation, reported: Operation): Operation =>
  isLive(stored)
    ? { ...reported, cancelRequested: stored.cancelRequested || reported.cancelRequested, version: stored.version }
    : stored;

function shownOrNull(text: string): string | null {
  const shown = printable(text, '');
  return shown === '' ? null : shown;
}

function failureOf({ failure }: ResultMessage): OperationFailure {
  if (failure === null) return { code: 'internal', message: 'The node gave no reason.' };
  const message = printable(failure.message, 'The node gave no details.');
  return { code: failure.code, message: message.slice(0, SHOWN_MESSAGE_CHARACTERS) };
}
