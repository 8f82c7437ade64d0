/** Turns this computer into a node of an account: a join token for a key (reliability §2.3). */
import { createHash } from 'node:crypto';
import os from 'node:os';
import { request } from 'undici';
import { z } from 'zod';
import { parseCredential } from '../../kernel/credential.js';
import { isNodeId, type NodeId } from '../../kernel/ids.js';
import { agentVersion } from '../agent-version.js';
import { identityFile, readIdentity, writeIdentity } from './node-identity.js';
import { createNodeKey } from './node-key.js';
import { addressText, parseRelayAddress, RelayAddressError, relayPath } from './relay-address.js';

const TIMEOUT_MS = 15_000;
const ANSWER_LIMIT_BYTES = 64 * 1024;
const NAME_LIMIT_CHARACTERS = 100;

export type JoinErrorReason = 'usage' | 'already_joined' | 'unreachable' | 'refused';

/** The message is for people and says what to do next. It never holds the token. */
export class JoinError extends Error {
  override readonly name = 'JoinError';
  constructor(
    readonly reason: JoinErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface JoinOptions {
  readonly relayUrl: string;
  readonly joinToken: string;
  /** Shown to people; the computer's own name when left out. */
  readonly name?: string | undefined;
  readonly dataDirectory: string;
  /** Joins again although this computer has joined before; the old identity is lost. */
  readonly replace?: boolean | undefined;
  /** Allows a relay without TLS that is not on this computer. */
  readonly allowInsecure?: boolean | undefined;
}

export interface JoinedNode {
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly clusterId: string;
  readonly accountId: string;
  readonly relayUrl: string;
}

const enrolled = z.object({
  node_id: z.string().refine(isNodeId),
  cluster_id: z.string().min(1).max(200),
  account_id: z.string().min(1).max(200),
  relay_url: z.url({ protocol: /^https?$/ }).max(2_000),
});

/** @throws JoinError; nothing is written then */
export async function joinCluster(options: JoinOptions): Promise<JoinedNode> {
  const { joinToken, dataDirectory } = options;
  const name = (options.name ?? os.hostname()).slice(0, NAME_LIMIT_CHARACTERS);
  const relay = addressOf(options);
  if (parseCredential('join-token', joinToken) === undefined) {
    throw new JoinError(
      'usage',
      'this is not a join token: it begins with ferry-join- and is 72 characters long. Was it cut off?',
    );
  }
  await refuseSecondJoin(options);

  const key = createNodeKey();
  const digest = createHash('sha256').update(joinToken).digest();
  const answer = await enrol(relay, {
    join_token: joinToken,
    public_key: key.publicKey,
    signature: key.sign(Buffer.concat([Buffer.from('ferry-node-enrol-v1\0'), digest])),
    node_name: name,
    platform: `${process.platform}-${process.arch}`,
    agent_version: agentVersion,
  });
  await writeIdentity(dataDirectory, {
    version: 1,
    node_id: answer.node_id,
    node_name: name,
    account_id: answer.account_id,
    cluster_id: answer.cluster_id,
    relay_url: addressText(relay),
    relay_host: new URL(answer.relay_url).host,
    private_key: key.exportPrivateKey(),
  });
  return {
    nodeId: answer.node_id,
    nodeName: name,
    clusterId: answer.cluster_id,
    accountId: answer.account_id,
    relayUrl: addressText(relay),
  };
}

function addressOf({ relayUrl, allowInsecure = false }: JoinOptions): URL {
  try {
    return parseRelayAddress(relayUrl, { allowInsecure });
  } catch (error) {
    if (error instanceof RelayAddressError) throw new JoinError('usage', error.message, { cause: error });
    throw error;
  }
}

async function refuseSecondJoin({ dataDirectory, replace = false }: JoinOptions): Promise<void> {
  if (replace) return;
  const present = await readIdentity(dataDirectory);
  if (present === undefined) return;
  throw new JoinError(
    'already_joined',
    `this computer is already node ${present.node_id} of ${present.relay_url}: run it with \`ferry node run\`, ` +
      `or join again with --force (that replaces ${identityFile(dataDirectory)})`,
  );
}

async function enrol(relay: URL, message: Readonly<Record<string, string>>): Promise<z.output<typeof enrolled>> {
  const { status, text } = await post(relayPath(relay, '/link/enrol'), JSON.stringify(message));
  if (status === 201) {
    const answer = enrolled.safeParse(parse(text));
    if (answer.success) return answer.data;
    throw new JoinError(
      'refused',
      `${relay.origin} answered with something unexpected: is it a Ferry relay of this version?`,
    );
  }
  throw new JoinError('refused', refusal(status, text, relay));
}

async function post(url: URL, body: string): Promise<{ status: number; text: string }> {
  try {
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: statusCode, text: (await answer.text()).slice(0, ANSWER_LIMIT_BYTES) };
  } catch (cause) {
    throw new JoinError(
      'unreachable',
      `cannot reach the relay at ${url.origin} (${reasonOf(cause)}): check the address and that the relay is running`,
      { cause },
    );
  }
}

function refusal(status: number, text: string, relay: URL): string {
  switch (status) {
    case 401:
    case 403:
    case 410:
      return 'the relay does not accept this join token: it works once and for 15 minutes. Make a new one with `ferry nodes join-token`';
    case 404:
      return `there is no Ferry relay at ${addressText(relay)}: give its base address, without /v1`;
    case 429:
      return 'too many attempts: wait a minute and try again';
    default:
      return `the relay refused (${status}): ${errorMessage(text) ?? 'without an explanation'}`;
  }
}

function errorMessage(text: string): string | undefined {
  const parsed = z.object({ error: z.object({ message: z.string() }) }).safeParse(parse(text));
  return parsed.success ? parsed.data.error.message.slice(0, 500) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? (error as Error).name;
