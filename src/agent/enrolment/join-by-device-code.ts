/**
 * Enrolment of a computer without a browser: it shows a code and waits until a user approves it elsewhere
 * (docs/reference/security.md#nodes).
 */
import { setTimeout as realDelay } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { parseJson } from '../../kernel/json-object.js';
import { fingerprintOf } from '../../kernel/fingerprint.js';
import { beginningOf } from '../connection/beginning-of.js';
import { networkAdvice, networkReason } from '../connection/network-failure.js';
import {
  RESPONSE_LIMIT_BYTES,
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
import { createNodeKey, type NodeKey } from './node-key.js';
import { relayPath } from '../connection/relay-address.js';

/** Shown to the user who approves this computer. */
export interface DeviceCode {
  readonly userCode: string;
  /** null: the relay serves no page for it. */
  readonly verificationUri: string | null;
  /** The same with the code filled in. */
  readonly verificationUriComplete: string | null;
  /** The user compares it with the one on the approval page, and types it there. */
  readonly fingerprint: string;
  readonly expiresInSeconds: number;
}

interface DeviceJoinOptions extends JoinTarget {
  /** Called once, before the waiting begins. */
  readonly show: (code: DeviceCode) => void;
  readonly signal?: AbortSignal | undefined;
  /** Waits between two polls; absent: in real time. */
  readonly delay?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

const CHALLENGE_TIMEOUT_MS = 15_000;
const SLOW_DOWN_SECONDS = 5;
const LONGEST_INTERVAL_SECONDS = 60;

const challenge = z.object({ nonce: z.string().min(1).max(1_000) });
const pageAddress = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .nullish();
const issued = z.object({
  device_code: z.string().min(1).max(200),
  user_code: z.string().regex(/^[A-Z]{4}-[A-Z]{4}$/),
  verification_uri: pageAddress,
  verification_uri_complete: pageAddress,
  expires_in: z.number().int().positive(),
  interval: z.number().positive().max(LONGEST_INTERVAL_SECONDS),
});
const problem = z.object({ code: z.string() });

/** Waits until the node is confirmed, its code expires or it is refused. @throws JoinError; nothing is written then */
export async function joinByDeviceCode(options: DeviceJoinOptions): Promise<JoinedNode> {
  const name = nameOf(options);
  const relay = addressOf(options);
  await refuseSecondJoin(options);
  const { dispatcher } = await networkOf(relay, options);
  const key = createNodeKey();
  const code = await requestCode(relay, dispatcher, key, name);
  options.show({
    userCode: code.user_code,
    verificationUri: code.verification_uri ?? null,
    verificationUriComplete: code.verification_uri_complete ?? null,
    fingerprint: fingerprintOf(Buffer.from(key.publicKey, 'base64url')),
    expiresInSeconds: code.expires_in,
  });
  const response = await waitForApproval(relay, dispatcher, code, options);
  return keepIdentity(options, relay, key, name, response);
}

async function requestCode(
  relay: URL,
  dispatcher: Dispatcher,
  key: NodeKey,
  name: string,
): Promise<z.output<typeof issued>> {
  const nonce = await fetchNonce(relay, dispatcher);
  const message = {
    public_key: key.publicKey,
    nonce,
    signature: key.sign(Buffer.from(`ferry-node-device-v1\0${nonce}`)),
    ...selfDescription(name),
  };
  const { status, text } = await post(relayPath(relay, '/link/device-code'), dispatcher, JSON.stringify(message));
  if (status === 429) throw tooManyAttempts();
  const response = issued.safeParse(parseJson(text));
  if (status === 200 && response.success) return response.data;
  throw new JoinError(
    'refused',
    `the relay did not issue a device code (${status}): ${problemText(text) ?? 'without an explanation'}`,
    'is it older than this computer’s Ferry? ferry --version there and here',
  );
}

async function fetchNonce(relay: URL, dispatcher: Dispatcher): Promise<string> {
  const url = relayPath(relay, '/link/challenge');
  try {
    const { statusCode, body } = await request(url, { dispatcher, signal: AbortSignal.timeout(CHALLENGE_TIMEOUT_MS) });
    const text = await beginningOf(body, RESPONSE_LIMIT_BYTES);
    const reported = problemText(text);
    if (statusCode !== 200 && reported !== undefined) throw refusedBecause(statusCode, reported);
    return challenge.parse(JSON.parse(text)).nonce;
  } catch (cause) {
    if (cause instanceof JoinError) throw cause;
    throw new JoinError(
      'unreachable',
      `cannot reach a Ferry relay at ${url.origin} (${networkReason(cause)})`,
      networkAdvice(cause) ?? 'check the address, and that it is running',
      { cause },
    );
  }
}

/** @returns the relay's response about the new node. A temporarily unreachable relay does not end the wait; expiry of the code does. */
async function waitForApproval(
  relay: URL,
  dispatcher: Dispatcher,
  { device_code: deviceCode, interval, expires_in: expiresIn }: z.output<typeof issued>,
  { signal, delay = pause }: DeviceJoinOptions,
): Promise<string> {
  const url = relayPath(relay, '/link/device-code/token');
  // Approval grants the same time again for the confirmation.
  const untilMs = performance.now() + 2 * expiresIn * 1_000;
  let seconds = interval;
  while (performance.now() < untilMs) {
    await delay(seconds * 1_000, signal);
    const response = await post(url, dispatcher, JSON.stringify({ device_code: deviceCode })).catch(
      (error: unknown) => {
        if (error instanceof JoinError && error.reason === 'unreachable') return undefined;
        throw error;
      },
    );
    if (response === undefined || response.status >= 500) continue;
    if (response.status === 200) return response.text;
    const code = problem.safeParse(parseJson(response.text)).data?.code;
    if (code === 'authorization_pending') continue;
    if (code === 'slow_down' || response.status === 429) seconds += SLOW_DOWN_SECONDS;
    else throw ended(code, response.status, response.text);
  }
  throw ended('expired_token', 400);
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<unknown> =>
  realDelay(ms, undefined, { ...(signal && { signal }) });

function ended(code: string | undefined, status: number, text = ''): JoinError {
  switch (code) {
    case 'expired_token':
      return new JoinError(
        'refused',
        'the code expired before this computer was approved',
        'the same command again makes another code',
      );
    case 'access_denied':
      return new JoinError('refused', 'the account refused this computer', 'ask an admin or owner of the account');
    default:
      return refusedBecause(status, problemText(text));
  }
}
