import { connect } from '../../core/api/connect.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { printList } from '../../core/output/print-list.js';
import type { Column } from '../../core/output/table.js';
import type { Invocation } from '../../invocation.js';

type Extension = Schemas['Extension'];

const plain = (text: string): string => text.replaceAll('`', '');

const columns: readonly Column<Extension>[] = [
  { heading: 'EXTENSION', value: ({ name }) => name, whole: true },
  { heading: 'STATE', value: ({ enabled }) => (enabled ? 'on' : 'off'), whole: true },
  { heading: 'WHAT', value: ({ summary }) => plain(summary), sentence: true, min: 24 },
  { heading: 'FOR', value: ({ gains }) => plain(gains), sentence: true, min: 20, expendable: 1 },
  { heading: 'DEFAULT', value: ({ default_enabled: on }) => (on ? 'on' : 'off'), whole: true, wide: true },
];

export async function listExtensions(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  await printList(invocation, {
    rows: await api.list('/api/extensions'),
    columns,
    whenEmpty: 'this relay has no extensions',
  });
}

/** @param on null: as the relay's default */
export async function switchExtensions(
  invocation: Invocation,
  names: readonly string[],
  on: boolean | null,
): Promise<void> {
  const api = await connect(invocation);
  const rows: Extension[] = [];
  for (const name of new Set(names)) {
    const changed = await api.patch('/api/extensions/{extension}', {
      path: { extension: name },
      body: { enabled: on },
      whenMissing: 'ferry extensions',
    });
    invocation.terminal.note(`${name} is ${changed.enabled ? 'on' : 'off'}${on === null ? ', the default' : ''}.`);
    rows.push(changed);
  }
  await printList(invocation, { rows, columns, whenEmpty: '' });
}
