/** Keys that the command line makes for programs on this computer. */
import os from 'node:os';
import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';
import type { ManagementApi } from './management-api.js';
import type { Schemas } from './management-api.types.js';

/** Agents with several workers send some hundreds a minute; a limit below that only looks like a fault of the model. */
export const PROGRAM_REQUESTS_PER_MINUTE = 600;
const PREFIX = 'sk-ferry-';
const CHECK_TIMEOUT_MS = 10_000;
/** Names that are tried, one request each. */
const MAX_NAMES = 20;

/**
 * Whether the relay accepts the key.
 * @throws CliError when the relay does not say: a key must not be replaced because the relay was busy
 */
export async function isAccepted(baseUrl: string, key: string): Promise<boolean> {
  if (!key.startsWith(PREFIX)) return false;
  let status: number;
  try {
    const response = await fetch(`${baseUrl}/v1/models`, {
      // A redirect could carry the key to another server.
      redirect: 'error',
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    });
    await response.body?.cancel();
    status = response.status;
  } catch (error) {
    throw new CliError('relay_unreachable', exitCodes.unreachable, `cannot reach the relay at ${baseUrl}`, {
      hint: 'nothing was changed; try again',
      cause: error,
    });
  }
  // A limit is only counted for a key that exists.
  if ((status >= 200 && status < 300) || status === 429) return true;
  if (status === 401 || status === 403) return false;
  throw new CliError(
    'key_unchecked',
    exitCodes.failure,
    `the relay answered ${String(status)} when asked about the key`,
    {
      hint: 'nothing was changed; try again',
    },
  );
}

/** The API record of a key that is in use; the secret begins with its id, without `key_`. */
export async function keyRecordOf(api: ManagementApi, key: string): Promise<Schemas['Key'] | undefined> {
  const keys = await api.list('/api/keys');
  return keys.find(
    ({ key_id, last4, revoked }) =>
      revoked === null && key.startsWith(`${PREFIX}${key_id.replace(/^key_/, '')}`) && key.endsWith(last4),
  );
}

/** The key is planned before anything is created. */
export interface KeyPlan {
  readonly name: string;
  readonly description: string;
  /** The key that an earlier command made for the program on this computer: it stops working. */
  readonly replaced: Schemas['Key'] | undefined;
}

interface KeyPurpose {
  /** Name of the key. */
  readonly program: string;
  /** The command that makes it. */
  readonly purpose: string;
  /** Made by `computerId`. */
  readonly computer: string;
}

/** A previous key of this computer is replaced; one of another computer stays, and the new key gets a numbered name. */
export async function planProgramKey(api: ManagementApi, { program, ...rest }: KeyPurpose): Promise<KeyPlan> {
  const keys = await api.list('/api/keys');
  const active = keys.filter(({ revoked }) => revoked === null);
  const replaced = active.find((key) => isMadeHere(key, rest));
  const name = replaced?.name ?? freeName(program, new Set(active.map((key) => key.name)));
  return { name, replaced, description: `${rest.purpose} on ${hostName()} (${rest.computer})` };
}

/** Whether `ferry` made it on this computer for this purpose, whatever the computer was called then. */
export const isMadeHere = (
  { description }: Pick<Schemas['Key'], 'description'>,
  { purpose, computer }: Pick<KeyPurpose, 'purpose' | 'computer'>,
): boolean =>
  description !== null && description.startsWith(`${purpose} on `) && description.endsWith(` (${computer})`);

/** @param requestsPerMinute null for none; undefined for the default, or what the replaced key had */
export async function makeProgramKey(
  api: ManagementApi,
  { name, description, replaced }: KeyPlan,
  requestsPerMinute?: number | null,
): Promise<Schemas['NewKey']> {
  if (replaced === undefined) {
    const limit = requestsPerMinute === undefined ? PROGRAM_REQUESTS_PER_MINUTE : requestsPerMinute;
    const key = { description, scopes: ['inference'] as const, limits: { requests_per_minute: limit } };
    return withFreeName(name, (free) => api.post('/api/keys', { body: { ...key, name: free } }));
  }
  // No overlap: the program reads the new key, and nothing else uses the old one.
  const rolled = await api.post('/api/keys/{idOrName}/roll', {
    path: { idOrName: replaced.key_id },
    body: {
      overlap: '0',
    },
  });
  if (requestsPerMinute === undefined) return rolled;
  const { limits } = await limitProgramKey(api, rolled.key_id, requestsPerMinute);
  return { ...rolled, limits };
}

export const limitProgramKey = (
  api: ManagementApi,
  keyId: string,
  requestsPerMinute: number | null,
): Promise<Schemas['Key']> =>
  api.patch('/api/keys/{idOrName}', {
    path: { idOrName: keyId },
    body: {
      limits: { requests_per_minute: requestsPerMinute },
    },
  });

/** A member is not shown the keys of others, whose names are taken all the same. */
async function withFreeName<Made>(planned: string, make: (name: string) => Promise<Made>): Promise<Made> {
  const taken = new Set<string>();
  for (;;) {
    const name = freeName(planned, taken);
    try {
      return await make(name);
    } catch (error) {
      const isTaken = error instanceof CliError && /of this name already exists/.test(error.message);
      if (!isTaken || taken.size >= MAX_NAMES) throw error;
      taken.add(name);
    }
  }
}

/** `codex`, else `codex-2`, `codex-3`, … */
export function freeName(program: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? program : `${program}-${String(number)}`;
    if (!taken.has(name)) return name;
  }
}

/** Cut so that the description stays below its limit of 200 characters. */
const hostName = (): string => os.hostname().slice(0, 100);
