/** `docs/operate/configuration.md` is generated from the settings tables: `npm run docs:settings`. A test fails when they differ. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { agentSettings } from '../src/agent/agent-settings.js';
import type { Setting } from '../src/kernel/settings.js';
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

type Table = Readonly<Record<string, Setting<unknown>>>;

interface Section {
  readonly title: string;
  readonly settings: Table;
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
- All variables are checked at the start. A wrong value stops the process with one line per mistake.
- Sizes are in bytes (\`_BYTES\`), times in milliseconds (\`_MS\`), unless the name says otherwise.
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

const table = (settings: Table): string =>
  [
    '| Variable | Default | Values | Meaning |',
    '| --- | --- | --- | --- |',
    ...Object.entries(settings).map(
      ([name, setting]) =>
        `| \`${setting.env}\` | ${defaultOf(name, setting)} | ${valuesOf(setting)} | ${setting.description.replaceAll('|', '\\|')} |`,
    ),
  ].join('\n');

const defaultOf = (name: string, { fallback }: Setting<unknown>): string => {
  if (fallback === undefined) return 'not set';
  if (fallback === '') return 'empty';
  const readable = readableAmount(name, Number(fallback));
  return readable === undefined ? `\`${fallback}\`` : `\`${fallback}\` (${readable})`;
};

const TIMES = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;
const SIZES = [
  ['GiB', 1_073_741_824],
  ['MiB', 1_048_576],
  ['KiB', 1_024],
] as const;

/** `30000` of a name in milliseconds as `30 s`; undefined where the number is as readable. */
function readableAmount(name: string, amount: number): string | undefined {
  const units = name.endsWith('Ms') ? TIMES : name.endsWith('Bytes') ? SIZES : [];
  const unit = units.find(([symbol, size]) => amount >= (symbol === 'days' ? 2 * size : size) && amount % size === 0);
  return unit === undefined ? undefined : `${amount / unit[1]} ${unit[0]}`;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
}

function valuesOf({ schema, secret }: Setting<unknown>): string {
  const { type, enum: options, items, minimum, maximum } = z.toJSONSchema(schema, { unrepresentable: 'any' }) as Schema;
  if (options !== undefined) return options.map((option) => `\`${option}\``).join(', ');
  if (type === 'integer') return `${minimum} to ${maximum}`;
  if (items !== undefined) return 'list';
  return secret === true ? 'text, secret' : 'text';
}

if (process.argv[1] === import.meta.filename) writeFileSync(settingsPagePath, renderSettingsPage());
