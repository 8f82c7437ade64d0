import { findConnection } from '../../../core/api/find-connection.js';
import { ManagementApi } from '../../../core/api/management-api.js';
import { isSameRelay } from '../../../core/api/relay-address.js';
import { printable } from '../../../../kernel/printable.js';
import { CliError } from '../../../core/errors/cli-error.js';
import { printList } from '../../../core/output/print-list.js';
import { formatCount } from '../../../core/output/quantities.js';
import type { Column, Mark } from '../../../core/output/table.js';
import type { Invocation } from '../../../invocation.js';
import { readLoadedModels } from '../../models/loaded-models.js';
import type { ConnectionRow } from '../connect.shape.js';
import { withTilde } from '../program-file.js';
import { limitText } from '../planned-key.js';
import { stateOf, type RelayView } from './connection-state.js';
import { readConnections, type Connection } from './connection-store.js';

const columns: readonly Column<ConnectionRow>[] = [
  { heading: 'PROGRAM', value: ({ program }) => program, whole: true },
  { heading: 'MODEL', value: ({ model }) => model, min: 12 },
  {
    heading: 'CONTEXT',
    value: ({ context_tokens: count }) => (count === null ? '' : formatCount(count)),
    align: 'right',
  },
  { heading: 'KEY', value: ({ key_name }) => key_name ?? '', expendable: 2 },
  { heading: 'LIMIT', value: rowLimit, whole: true, expendable: 1 },
  { heading: 'STATE', value: ({ problem }) => problem ?? 'up to date', sentence: true, min: 22 },
  { heading: 'FILE', value: ({ files }) => files.map(withTilde).join(', '), wide: true },
  { heading: 'RELAY', value: ({ base_url }) => base_url, wide: true },
];

/** `ferry connect`: what is connected on this computer. Without its relay, too: then the states are unknown. */
export async function listConnections(invocation: Invocation): Promise<void> {
  const { env, terminal } = invocation;
  const connections = await readConnections(env);
  const relay = connections.length === 0 ? undefined : await queryRelay(invocation);
  const rows = await Promise.all(
    connections.map(async (connection): Promise<ConnectionRow> => {
      const asked = relay !== undefined && isSameRelay(relay.baseUrl, connection.base_url) ? relay : undefined;
      return rowOf(connection, asked, await stateOf(env, connection, asked));
    }),
  );
  await printList(invocation, {
    rows,
    columns,
    mark: markOf,
    whenEmpty: 'nothing is connected yet; connect a program with: ferry connect codex',
  });
  if (invocation.global.output !== 'table') return;
  const stale = connections.filter((_, index) => isStale(rows[index]));
  const commands = stale.map(({ program, files }) => {
    const isDefault = files.length > 0 && files.every((file) => file.as_default);
    return `ferry connect ${program}${isDefault ? ' --default' : ''}`;
  });
  if (commands.length > 0) terminal.note('Bring up to date:');
  for (const command of commands) terminal.note(`  ${command}`);
}

const isStale = (row: ConnectionRow | undefined): boolean =>
  row !== undefined && row.state !== 'current' && row.state !== 'unknown';

interface QueriedRelay extends RelayView {
  readonly baseUrl: string;
}

async function queryRelay(invocation: Invocation): Promise<QueriedRelay | undefined> {
  try {
    const connection = await findConnection(invocation);
    const api = new ManagementApi(connection);
    const [loaded, keys] = await Promise.all([readLoadedModels(api), api.list('/api/keys')]);
    return { baseUrl: connection.baseUrl, loaded, keys };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    invocation.terminal.note(`The states are unknown: ${printable(error.message)}`);
    return undefined;
  }
}

function rowOf(
  { program, base_url, model, context_tokens, key_id, connected, files }: Connection,
  relay: RelayView | undefined,
  state: Pick<ConnectionRow, 'state' | 'problem'>,
): ConnectionRow {
  const key = relay?.keys.find((candidate) => candidate.key_id === key_id);
  return {
    object: 'connection',
    program,
    base_url,
    model,
    context_tokens,
    key_id,
    key_name: key?.name ?? null,
    requests_per_minute: key?.limits.requests_per_minute ?? null,
    connected,
    files: files.map((file) => file.path),
    ...state,
  };
}

function rowLimit({ key_name: name, requests_per_minute }: ConnectionRow): string {
  return name === null ? '' : limitText({ limits: { requests_per_minute } });
}

function markOf({ state }: ConnectionRow): Mark {
  switch (state) {
    case 'current':
      return 'serving';
    case 'outdated':
      return 'attention';
    case 'key_refused':
    case 'file_missing':
      return 'failed';
    case 'unknown':
      return 'off';
    default:
      return state satisfies never;
  }
}
