import pc from 'picocolors';
import { printable, stripUnprintable } from '../../../kernel/printable.js';
import type { CliError } from '../errors/cli-error.js';

/** People get the error and the next step, one line each. */
export function renderFailure(error: CliError, colors: boolean): string {
  const { red, dim } = pc.createColors(colors);
  const lines = error.message.split('\n').map(stripUnprintable);
  const text = [`${red('error:')} ${lines.join('\n')}`];
  if (error.hint !== undefined) {
    text.push(`  ${error.hint.startsWith('Did you mean') ? error.hint : `${dim('try:')} ${error.hint}`}`);
  }
  if (error.requestId !== undefined) text.push(`  ${dim('request:')} ${printable(error.requestId)}`);
  return text.join('\n');
}

/** Programs get one line of JSON. */
export const renderFailureJson = (error: CliError): string =>
  JSON.stringify({
    error: {
      code: error.code,
      message: error.message,
      hint: error.hint ?? null,
      request_id: error.requestId ?? null,
    },
  });
