/** `docs/operate/configuration.md` is generated from the settings tables: `npm run docs:settings`. A test fails when they differ. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentSettings } from '../src/agent/agent-settings.js';
import { expectedValue } from '../src/kernel/settings/expected-value.js';
import { withUnit } from '../src/kernel/settings/quantity.js';
import type { Setting, SettingsTable } from '../src/kernel/settings/setting.js';
import { accountSettings, operationSettings } from '../src/relay/platform/config/settings/account-settings.js';
import { answerSettings } from '../src/relay/platform/config/settings/answer-settings.js';
import { auditSettings, usageSettings } from '../src/relay/platform/config/settings/usage-settings.js';
import { bodySettings } from '../src/relay/platform/config/settings/body-settings.js';
import { capacitySettings } from '../src/relay/platform/config/settings/capacity-settings.js';
import { databaseSettings } from '../src/relay/platform/config/settings/database-settings.js';
import { hedgingSettings, routingSettings } from '../src/relay/platform/config/settings/routing-settings.js';
import { linkSettings } from '../src/relay/platform/config/settings/link-settings.js';
import { managementSettings } from '../src/relay/platform/config/settings/management-settings.js';
import { oidcSettings } from '../src/relay/platform/config/settings/oidc-settings.js';
import { peopleSettings } from '../src/relay/platform/config/settings/people-settings.js';
import { replicaSettings } from '../src/relay/platform/config/settings/replica-settings.js';
import { serverSettings } from '../src/relay/platform/config/settings/server-settings.js';

export const settingsPagePath = path.resolve(import.meta.dirname, '../docs/operate/configuration.md');

interface Section {
  readonly title: string;
  readonly settings: SettingsTable;
}

export const relaySections: readonly Section[] = [
  { title: 'Server', settings: serverSettings },
  { title: 'Database and secret', settings: databaseSettings },
  { title: 'Several relays', settings: replicaSettings },
  { title: 'Request bodies', settings: bodySettings },
  { title: 'Timeouts and streams', settings: answerSettings },
  { title: 'Health and rate limits', settings: capacitySettings },
  { title: 'Routing', settings: routingSettings },
  { title: 'Hedging', settings: hedgingSettings },
  { title: 'Links to nodes', settings: linkSettings },
  { title: 'Limits of an account', settings: accountSettings },
  { title: 'Operations', settings: operationSettings },
  { title: 'Management API', settings: managementSettings },
  { title: 'Sign-in', settings: peopleSettings },
  { title: 'OpenID Connect', settings: oidcSettings },
  { title: 'Audit trail', settings: auditSettings },
  { title: 'Usage', settings: usageSettings },
];

const introduction = `# Configuration

<!-- Generated from the settings tables by \`npm run docs:settings\`. Do not edit. -->

Relay and node are configured by environment variables. Each has a default, so an empty environment is a valid configuration.

- A flag of the command wins over the environment, the environment wins over the default. An empty variable counts as not set.
- All variables are checked at the start. A wrong value stops the process with one line per mistake, which shows the value.
- The end of a name is the unit of a bare number: \`_MS\` milliseconds, \`_BYTES\` bytes, \`_PER_MINUTE\`, and so on. A value may have a unit
  of its own: \`500ms\`, \`30s\`, \`5min\`, \`12h\`, \`7d\`; \`64KiB\`, \`256MiB\`, \`1GiB\` (\`1MB\` is 1,000,000 bytes); \`8KiB/s\`; \`5/min\`, \`10/s\`;
  \`5%\`.
- A variable that begins with \`FERRY_\` but is not a setting is named in a warning, with the name that was probably meant.
- \`ferry config\` prints the relay's effective values and where each came from. Secrets are masked. It reads the environment of the
  shell it runs in, so run it in the environment of the relay.
- \`ferry up\` starts the relay and the node with its own environment.

Variables of the command line itself (\`FERRY_TOKEN\`, \`FERRY_PROFILE\`, …) are in [Command line](../reference/command-line.md#files-and-environment).

## Relay and node

| Variable | Default | Meaning |
| --- | --- | --- |
| \`FERRY_DATA_DIR\` | \`$XDG_DATA_HOME/ferry\`, else \`~/.local/share/ferry\` (macOS: \`~/Library/Application Support/ferry\`, Windows: \`%LOCALAPPDATA%\\ferry\\Data\`) | Data directory. The relay keeps its files in \`relay/\`, the node in \`node/\`. |

`;

const nodeOnly = `Read from the environment, but not by a settings table:

| Variable | Meaning |
| --- | --- |
| \`HTTPS_PROXY\`, \`HTTP_PROXY\`, \`ALL_PROXY\`, \`NO_PROXY\` | [Proxies](../guide/second-computer.md#proxies) of the link and of model downloads. |
| \`NODE_EXTRA_CA_CERTS\` | Certificates that Node.js trusts in addition. |
| \`HF_ENDPOINT\`, \`HF_TOKEN\` | Mirror of Hugging Face, and the token that is sent to it ([downloads](../guide/engines.md#the-built-in-engine)). |

`;

export function renderSettingsPage(): string {
  const relay = relaySections.map(({ title, settings }) => `### ${title}\n\n${table(settings)}\n`).join('\n');
  return `${introduction}## Relay\n\n${relay}\n## Node\n\nWhich engines a node serves is set in [\`engines.json\`](../guide/engines.md#discovery-and-configuration).\n\n${nodeOnly}${table(agentSettings)}\n`;
}

const table = (settings: SettingsTable): string =>
  [
    '| Variable | Default | Values | Meaning |',
    '| --- | --- | --- | --- |',
    ...Object.values(settings).map(
      (setting) =>
        `| \`${setting.env}\` | ${defaultOf(setting)} | ${valuesOf(setting)} | ${setting.description.replaceAll('|', '\\|')} |`,
    ),
  ].join('\n');

const defaultOf = (setting: Setting<unknown>): string => {
  const { env, fallback } = setting;
  if (fallback === undefined) return 'not set';
  if (fallback === '') return 'empty';
  return `\`${expectedValue(setting).kind === 'integer' ? withUnit(env, Number(fallback)) : fallback}\``;
};

function valuesOf(setting: Setting<unknown>): string {
  const expected = expectedValue(setting);
  switch (expected.kind) {
    case 'integer':
      return `${withUnit(setting.env, expected.min)} to ${withUnit(setting.env, expected.max)}`;
    case 'choice':
      return expected.options.map((option) => `\`${option}\``).join(', ');
    case 'list':
      return 'list';
    case 'text':
      return setting.secret === true ? 'text, secret' : 'text';
    default:
      return expected satisfies never;
  }
}

if (process.argv[1] === import.meta.filename) writeFileSync(settingsPagePath, renderSettingsPage());
