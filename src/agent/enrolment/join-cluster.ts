/** Enrolment with a join token (docs/reference/security.md#nodes). */
import { createHash } from 'node:crypto';
import { parseCredential } from '../../kernel/credential.js';
import {
  addressOf,
  JoinError,
  keepIdentity,
  nameOf,
  networkOf,
  post,
  refusedBecause,
  refuseSecondJoin,
  selfDescription,
  tooManyAttempts,
  type JoinedNode,
  type JoinTarget,
} from './join-steps.js';
import { problemText } from '../connection/problem-text.js';
import { createNodeKey } from './node-key.js';
import { addressText, relayPath } from '../connection/relay-address.js';

export { JoinError, type JoinedNode, type JoinErrorReason } from './join-steps.js';

export interface JoinOptions extends JoinTarget {
  readonly joinToken: string;
}

/** @throws JoinError; nothing is written then */
export async function joinCluster(options: JoinOptions): Promise<JoinedNode> {
  const { joinToken } = options;
  const name = nameOf(options);
  const relay = addressOf(options);
  if (parseCredential('join-token', joinToken) === undefined) {
    throw new JoinError(
      'usage',
      'this is not a join token',
      'paste it whole: it begins with ferry-join- and has 72 characters',
    );
  }
  await refuseSecondJoin(options);
  const { dispatcher } = await networkOf(relay, options);

  const key = createNodeKey();
  const digest = createHash('sha256').update(joinToken).digest();
  const message = {
    join_token: joinToken,
    public_key: key.publicKey,
    signature: key.sign(Buffer.concat([Buffer.from('ferry-node-enrol-v1\0'), digest])),
    ...selfDescription(name),
  };
  const { status, text } = await post(relayPath(relay, '/link/enrol'), dispatcher, JSON.stringify(message));
  if (status !== 201) throw refusal(status, text, relay);
  return keepIdentity(options, relay, key, name, text);
}

function refusal(status: number, text: string, relay: URL): JoinError {
  const reported = problemText(text);
  const as = (message: string, advice: string): JoinError => new JoinError('refused', message, advice);
  switch (status) {
    case 401:
    case 403:
    case 410:
      return as(
        `the relay does not accept this join token (it says: ${reported ?? 'nothing'})`,
        'make a new one with ferry nodes join-token; it works once and for 15 minutes',
      );
    case 404:
      return as(`there is no Ferry relay at ${addressText(relay)}`, 'give its base address, without /v1');
    case 429:
      return tooManyAttempts();
    case 503:
      return as(
        `the relay cannot enrol computers now: ${reported ?? 'it is overloaded'}`,
        'again in a minute, with the same join token',
      );
    default:
      return refusedBecause(status, reported);
  }
}
