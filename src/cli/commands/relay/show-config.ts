import type { SettingDescription } from '../../../relay/main.js';
import type { Invocation } from '../../invocation.js';
import { printList } from '../../core/output/print-list.js';
import type { Column } from '../../core/output/table.js';

const columns: readonly Column<SettingDescription>[] = [
  { heading: 'SETTING', value: ({ env }) => env },
  { heading: 'VALUE', value: ({ value }) => (value === null ? '' : String(value)) },
  { heading: 'SOURCE', value: ({ source }) => source },
  { heading: 'WHAT IT IS', value: ({ description }) => description },
];

/** Secrets are masked by the relay's own table of settings. @throws SettingsError naming everything that does not parse */
export async function showConfig(invocation: Invocation): Promise<void> {
  const { describeSettings } = await import('../../../relay/main.js');
  await printList(invocation, { rows: describeSettings(invocation.env), columns, whenEmpty: '' });
}
