/** Checks that the relay admits this node: opens the WebSocket of a link as the node does, and closes it. */
import { dialRelay, DialError } from '../connection/dial-relay.js';
import type { RelayNetwork } from '../connection/relay-network.js';
import { linkAuthorization } from '../enrolment/link-authorization.js';
import type { NodeIdentity } from '../enrolment/node-identity.js';
import { importNodeKey } from '../enrolment/node-key.js';
import { ok, problem, type Finding } from './finding.js';

const TIMEOUT_MS = 10_000;
const CHECK = 'relay_link';

interface CheckLinkOptions {
  readonly relay: URL;
  readonly relayHost: string;
  readonly identity: NodeIdentity;
  readonly network: RelayNetwork;
  readonly userAgent: string;
}

/** Not for a connected node: a second link would supersede its own. */
export async function checkLink({
  relay,
  relayHost,
  identity,
  network,
  userAgent,
}: CheckLinkOptions): Promise<Finding> {
  const key = importNodeKey(identity.private_key);
  try {
    const socket = await dialRelay({
      relay,
      network,
      authorize: (nonce) => linkAuthorization({ nodeId: identity.node_id, nonce, host: relayHost, key }),
      timeoutMs: TIMEOUT_MS,
      userAgent,
      signal: AbortSignal.timeout(2 * TIMEOUT_MS),
    });
    socket.terminate();
    return ok(CHECK, 'the relay accepts this node');
  } catch (error) {
    if (!(error instanceof DialError)) throw error;
    return refusal(error);
  }
}

function refusal({ status, message }: DialError): Finding {
  const facts = { status };
  switch (status) {
    case 401:
    case 403:
      return problem(
        'fail',
        CHECK,
        `the relay does not accept this node (${status}): it was revoked, removed, or not approved yet`,
        'on a computer where ferry is signed in: ferry nodes; to join again: ferry node join --force <token>',
        facts,
      );
    case 429:
    case 503:
      return problem('warn', CHECK, message, 'wait a minute, then run this again', facts);
    default:
      return problem(
        'fail',
        CHECK,
        `no WebSocket connection: ${message}`,
        'if there is a proxy in between, configure it to forward the headers Upgrade and Connection for /link',
        facts,
      );
  }
}
