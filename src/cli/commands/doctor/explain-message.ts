import type { Finding } from '../../../agent/main.js';
import type { Invocation } from '../../invocation.js';
import { meaningOf } from './find-message.js';
import { printFindings } from './print-findings.js';

const REQUEST_ID = /\breq_[0-9a-f]{32}\b/;

/** The meaning of what a client shows. @throws CommandEnded (1) when nothing is known of it */
export async function explainMessage(invocation: Invocation, message: string): Promise<void> {
  const known = meaningOf(message);
  const request = REQUEST_ID.exec(message)?.[0];
  const look = request === undefined ? undefined : `ferry explain ${request}`;
  const finding: Finding =
    known === undefined
      ? {
          check: 'message',
          verdict: 'fail',
          summary: 'no known client shows this when Ferry answers',
          next: look ?? 'ferry requests, then ferry explain ID; ferry doctor URL for the way to the relay',
          facts: { clients: [] },
        }
      : {
          check: 'message',
          verdict: 'warn',
          summary: `${unquoted(known.meaning)}${reportedBy(known.clients)}`,
          next: [unquoted(known.remedy), ...(look === undefined ? [] : [look])].join('; '),
          facts: { clients: known.clients },
        };
  await printFindings(invocation, [finding]);
}

const reportedBy = (clients: readonly string[]): string =>
  clients.length === 0 ? '' : ` Shown so by ${clients.join(', ')}.`;

/** Code marks belong on the page. */
const unquoted = (text: string): string => text.replaceAll('`', '');
