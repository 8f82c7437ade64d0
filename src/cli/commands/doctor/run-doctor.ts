import { dataDirectory } from '../../../kernel/data-directory.js';
import { findRelayAddress } from '../../core/api/find-connection.js';
import { parseBaseUrl } from '../../core/api/relay-address.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { explainMessage } from './explain-message.js';
import { meaningOf } from './find-message.js';
import { printFindings } from './print-findings.js';

/**
 * @param words an address, or what a client shows, quoted or not
 * @throws CommandEnded (1) when a check fails; CliError (usage) for what is no address, or without anything to check
 */
export async function runDoctor(invocation: Invocation, words: readonly string[]): Promise<void> {
  const { env, global } = invocation;
  const text = words.join(' ').trim();
  // No address has a blank in it. A single word may be both, such as "Unauthorized": then its meaning is the better answer.
  if (/\s/.test(text) || (text !== '' && meaningOf(text) !== undefined)) return explainMessage(invocation, text);
  const url = text === '' ? undefined : text;
  if (url === undefined && global.baseUrl === undefined && (await hasJoined(env))) return runNodeDoctor(invocation);
  const address = url === undefined ? await findRelayAddress(invocation) : parseBaseUrl(withScheme(url), url);
  if (address === undefined) {
    throw new CliError(
      'usage',
      exitCodes.usage,
      'there is no relay to check: this computer has joined and signed in to none',
      {
        hint: 'ferry doctor https://relay.example',
      },
    );
  }
  const { diagnoseRelay } = await import('../../../agent/main.js');
  invocation.terminal.note(`Checking ${address} from this computer`);
  await printFindings(invocation, await diagnoseRelay({ env, relay: new URL(address) }));
}

/** People write `relay.example`, and mean what a browser makes of it. */
const withScheme = (text: string): string => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);

/** A damaged identity counts: its diagnosis says what to do. */
async function hasJoined(env: Invocation['env']): Promise<boolean> {
  const { NodeIdentityError, readIdentity } = await import('../../../agent/main.js');
  try {
    return (await readIdentity(dataDirectory(env))) !== undefined;
  } catch (error) {
    if (error instanceof NodeIdentityError) return true;
    throw error;
  }
}

/** The checks of this computer's node. @throws CommandEnded (1) when a check fails */
export async function runNodeDoctor(invocation: Invocation): Promise<void> {
  const { diagnoseNode } = await import('../../../agent/main.js');
  await printFindings(invocation, await diagnoseNode({ env: invocation.env }));
}
