import { connect } from '../connection/connect.js';
import type { Invocation } from '../invocation.js';
import { printList } from '../output/print-list.js';
import { printable } from '../output/printable.js';
import type { Column } from '../output/table.js';
import { localMinute } from '../output/time.js';

/** As `GET /api/keys` has it. Seconds since 1970. */
interface KeyRecord {
  readonly key_id: string;
  readonly name: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly created: number;
  readonly last_used: number | null;
  readonly revoked: number | null;
}

interface CreatedKey extends KeyRecord {
  /** The whole key. The relay shows it once and keeps its digest. */
  readonly key: string;
}

const columns: readonly Column<KeyRecord>[] = [
  { heading: 'KEY', value: (key) => key.key_id },
  { heading: 'NAME', value: (key) => key.name },
  { heading: 'ENDS IN', value: (key) => key.last4 },
  { heading: 'SCOPES', value: (key) => key.scopes.join(',') },
  { heading: 'CREATED', value: (key) => localMinute(key.created) },
  { heading: 'LAST USED', value: (key) => (key.last_used === null ? '-' : localMinute(key.last_used)) },
];

/** Prints the key alone on stdout in every output form but JSON, whose `key` field holds it. */
export async function createKey(invocation: Invocation, name: string): Promise<void> {
  const api = await connect(invocation);
  const created = await api.post<CreatedKey>('/api/keys', { name });
  const { terminal, global } = invocation;
  terminal.note(`Created key ${printable(created.name)} (${created.key_id}). Copy it now; it is not shown again.`);
  terminal.print(global.output === 'json' ? JSON.stringify(created) : created.key);
}

export async function listKeys(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  printList(invocation, {
    rows: await api.list<KeyRecord>('/api/keys'),
    columns,
    whenEmpty: 'no keys yet; create one with: ferry keys create NAME',
  });
}

export async function revokeKey(invocation: Invocation, idOrName: string): Promise<void> {
  const api = await connect(invocation);
  const revoked = await api.delete<KeyRecord>(`/api/keys/${encodeURIComponent(idOrName)}`, 'ferry keys list');
  invocation.terminal.note(`Revoked key ${printable(revoked.name)} (${revoked.key_id}).`);
  if (invocation.global.output === 'json') invocation.terminal.print(JSON.stringify(revoked));
}
