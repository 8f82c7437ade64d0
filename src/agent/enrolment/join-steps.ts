/** Steps that both ways of joining a relay share (docs/reference/security.md#nodes). */
import os from 'node:os';
import { request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { AdvisedError } from '../../kernel/errors/advised-error.js';
import { parseJson } from '../../kernel/json-object.js';
import { isNodeId, type NodeId } from '../../kernel/ids.js';
import { agentVersion } from '../agent-version.js';
import { beginningOf } from '../connection/beginning-of.js';
import { networkAdvice, networkReason } from '../connection/network-failure.js';
import { relayNetwork, type RelayNetwork } from '../connection/relay-network.js';
import { ProxyError } from '../connection/relay-proxy.js';
import { CaFileError } from '../connection/trusted-authorities.js';
import { identityFile, readIdentity, writeIdentity } from './node-identity.js';
import type { NodeKey } from './node-key.js';
import { addressText, parseRelayAddress, RelayAddressError } from '../connection/relay-address.js';

const TIMEOUT_MS = 15_000;
export const RESPONSE_LIMIT_BYTES = 64 * 1024;
const NAME_LIMIT_CHARACTERS = 100;

export type JoinErrorReason = 'usage' | 'already_joined' | 'unreachable' | 'refused';

/** The message is shown to people, so it never contains the token. */
export class JoinError extends AdvisedError {
  override readonly name = 'JoinError';
  constructor(
    readonly reason: JoinErrorReason,
    message: string,
    advice?: string,
    options?: ErrorOptions,
  ) {
    super(message, advice, options);
  }
}

export const tooManyAttempts = (): JoinError =>
  new JoinError('refused', 'too many attempts', 'wait a minute and try again');

/** Explains a status whose response has no message. */
export const refusedBecause = (status: number, reported: string | undefined): JoinError =>
  new JoinError(
    'refused',
    `the relay refused (${status}): ${reported ?? 'without an explanation'}`,
    'on the computer of the relay, ferry logs says more',
  );

export interface JoinTarget {
  readonly relayUrl: string;
  /** Shown to people; the computer's own name when left out. */
  readonly name?: string | undefined;
  readonly dataDirectory: string;
  /** Joins again although this computer has joined before; the old identity is lost. */
  readonly replace?: boolean | undefined;
  /** Allows a relay without TLS that is not on this computer. */
  readonly allowInsecure?: boolean | undefined;
  /** Certificates to trust besides those that Node trusts: for a relay with an authority of its own. */
  readonly caFile?: string | undefined;
}

export interface JoinedNode {
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly clusterId: string;
  readonly accountId: string;
  readonly relayUrl: string;
}

/** The computer's description of itself. */
export const selfDescription = (name: string): Readonly<Record<string, string>> => ({
  node_name: name,
  platform: `${process.platform}-${process.arch}`,
  agent_version: agentVersion,
});

export const nameOf = ({ name = os.hostname() }: JoinTarget): string => name.slice(0, NAME_LIMIT_CHARACTERS);

const enrolledResponse = z.object({
  node_id: z.string().refine(isNodeId),
  cluster_id: z.string().min(1).max(200),
  account_id: z.string().min(1).max(200),
  relay_url: z.url({ protocol: /^https?$/ }).max(2_000),
});

/** Saves the identity from the relay's response. @throws JoinError when the response is malformed */
export async function keepIdentity(
  { dataDirectory }: JoinTarget,
  relay: URL,
  key: NodeKey,
  name: string,
  text: string,
): Promise<JoinedNode> {
  const parsed = enrolledResponse.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new JoinError(
      'refused',
      `${relay.origin} answered with something unexpected`,
      'is it a Ferry relay of this version? ferry --version there and here',
    );
  }
  const response = parsed.data;
  await writeIdentity(dataDirectory, {
    version: 1,
    node_id: response.node_id,
    node_name: name,
    account_id: response.account_id,
    cluster_id: response.cluster_id,
    relay_url: addressText(relay),
    relay_host: new URL(response.relay_url).host,
    private_key: key.exportPrivateKey(),
  });
  return {
    nodeId: response.node_id,
    nodeName: name,
    clusterId: response.cluster_id,
    accountId: response.account_id,
    relayUrl: addressText(relay),
  };
}

/** @throws JoinError */
export function addressOf({ relayUrl, allowInsecure = false }: JoinTarget): URL {
  try {
    return parseRelayAddress(relayUrl, { allowInsecure });
  } catch (error) {
    if (error instanceof RelayAddressError) throw new JoinError('usage', error.message, error.advice, { cause: error });
    throw error;
  }
}

/** @throws JoinError */
export async function networkOf(relay: URL, { caFile }: JoinTarget): Promise<RelayNetwork> {
  try {
    return await relayNetwork(relay, caFile);
  } catch (error) {
    if (error instanceof CaFileError || error instanceof ProxyError) {
      throw new JoinError('usage', error.message, error.advice, { cause: error });
    }
    throw error;
  }
}

/** @throws JoinError */
export async function refuseSecondJoin({ dataDirectory, replace = false }: JoinTarget): Promise<void> {
  if (replace) return;
  const present = await readIdentity(dataDirectory);
  if (present === undefined) return;
  throw new JoinError(
    'already_joined',
    `this computer is already node ${present.node_id} of ${present.relay_url}`,
    `ferry node run starts it; --force joins again, and replaces ${identityFile(dataDirectory)}`,
  );
}

/** @throws JoinError when there is no response */
export async function post(url: URL, dispatcher: Dispatcher, body: string): Promise<{ status: number; text: string }> {
  try {
    const { statusCode, body: response } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      dispatcher,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: statusCode, text: await beginningOf(response, RESPONSE_LIMIT_BYTES) };
  } catch (cause) {
    throw new JoinError(
      'unreachable',
      `cannot reach the relay at ${url.origin} (${networkReason(cause)})`,
      networkAdvice(cause) ?? 'check the address, and that the relay is running',
      { cause },
    );
  }
}
