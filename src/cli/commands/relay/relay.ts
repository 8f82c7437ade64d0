import type { SettingDescription } from '../../../relay/main.js';
import type { Invocation } from '../../invocation.js';
import { printList } from '../../core/output/print-list.js';
import type { Column } from '../../core/output/table.js';
import { runService } from '../../core/supervision/run-service.js';

/** Runs the relay until SIGTERM, Ctrl-C or its supervisor stops it; streams may finish within `FERRY_DRAIN_TIMEOUT_MS`. */
export async function serve(
  { terminal, env, global }: Invocation,
  flags: { host?: string; port?: string },
): Promise<void> {
  const { startRelay } = await import('../../../relay/main.js');
  await runService(async () => {
    const relay = await startRelay({ env, flags });
    const facts = { base_url: relay.baseUrl, port: relay.port };
    if (global.output === 'json') terminal.print(JSON.stringify(facts));
    // A supervisor keeps it with the log, where it is no line of it, and says itself what to do next.
    else if (process.send === undefined) {
      terminal.note(`Relay ready at ${relay.baseUrl}`);
      if (!(await relay.hasUsers())) {
        terminal.note(
          '  next: ferry users create-owner YOU@EXAMPLE.COM  (here, in another terminal; prints a password)',
        );
        terminal.note(`        then sign in at ${relay.baseUrl}/console/ or with: ferry login --email YOU@EXAMPLE.COM`);
      }
    }
    return { facts, close: (drainLimitMs) => relay.close(drainLimitMs) };
  });
}

const columns: readonly Column<SettingDescription>[] = [
  { heading: 'SETTING', value: ({ env }) => env, whole: true },
  { heading: 'VALUE', value: ({ value }) => (value === null ? '' : String(value)), min: 12 },
  { heading: 'SOURCE', value: ({ source }) => source },
  { heading: 'WHAT IT IS', value: ({ description }) => description, sentence: true, min: 30, expendable: 1 },
];

/** Secrets are masked by the relay's own table of settings. @throws SettingsError naming everything that does not parse */
export async function showConfig(invocation: Invocation): Promise<void> {
  const { describeSettings } = await import('../../../relay/main.js');
  await printList(invocation, { rows: describeSettings(invocation.env), columns, whenEmpty: '' });
  const { global, terminal } = invocation;
  if (global.output === 'table' && terminal.columns !== undefined && !global.wide) {
    terminal.note('What each setting is, whole: ferry config --wide');
  }
}
