import os from 'node:os';
import type { ManagementApi } from './management-api.js';
import type { Schemas } from './management-api.types.js';

const REQUESTS_PER_MINUTE = 60;
const CHECK_TIMEOUT_MS = 10_000;

/** Whether the relay accepts the key in the program's file. */
export async function isAccepted(baseUrl: string, key: string): Promise<boolean> {
  if (!key.startsWith('sk-ferry-')) return false;
  const response = await fetch(`${baseUrl}/v1/models`, {
    // A redirect could carry the key to another server.
    redirect: 'error',
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
  }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}

/** The API record of a key, matched by the key's last characters. */
export async function keyRecordOf(api: ManagementApi, key: string): Promise<Schemas['Key'] | undefined> {
  const keys = await api.list<Schemas['Key']>('/api/keys');
  return keys.find(({ last4, revoked }) => revoked === null && key.endsWith(last4));
}

/**
 * Creates a key for the program on this computer. A previous key of this computer is rolled; a key of the same name that belongs to another
 * computer stays, and the new key gets a numbered name.
 */
export async function makeProgramKey(
  api: ManagementApi,
  program: string,
  purpose = `ferry connect ${program}`,
): Promise<Schemas['NewKey']> {
  const keys = await api.list<Schemas['Key']>('/api/keys');
  const description = `${purpose} on ${os.hostname()}`.slice(0, 200);
  const active = keys.filter(({ revoked }) => revoked === null);
  const own = active.find((key) => key.description === description);
  if (own !== undefined) {
    // No overlap: the program reads the new key, and nothing else uses the old one.
    return api.post<Schemas['RolledKey']>(`/api/keys/${encodeURIComponent(own.key_id)}/roll`, { overlap: '0' });
  }
  return api.post<Schemas['NewKey']>('/api/keys', {
    name: freeName(program, new Set(active.map(({ name }) => name))),
    description,
    scopes: ['inference'],
    limits: { requests_per_minute: REQUESTS_PER_MINUTE },
  });
}

/** `codex`, else `codex-2`, `codex-3`, … */
export function freeName(program: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? program : `${program}-${String(number)}`;
    if (!taken.has(name)) return name;
  }
}
