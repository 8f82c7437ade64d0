/** `docs/operate/configuration.md` is generated from the settings tables: `npm run docs:settings`. A test fails when they differ. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentSettings } from '../src/agent/agent-settings.js';
import { expectedValue } from '../src/kernel/settings/expected-value.js';
import { withUnit } from '../src/kernel/settings/quantity.js';
import type { Setting, SettingsTable } from '../src/kernel/settings/setting.js';
import { relaySettingGroups } from '../src/relay/platform/config/relay-settings.js';

export const settingsPagePath = path.resolve(import.meta.dirname, '../docs/operate/configuration.md');

const introduction = `# Configuration

<!-- Generated from the settings tables by \`npm run docs:settings\`. Do not edit. -->

Relay and node are configured by flags, environment variables and a settings file. Each setting has a default, so an empty configuration is
valid.

- A flag of the command wins over the environment, the environment over the settings file, the file over the default. An empty variable
  counts as not set.
- All values are checked at the start. A wrong one stops the process with one line per mistake, which shows the value and, for the file,
  its name and line. Secrets are not shown.
- The end of a name is the unit of a bare number: \`_MS\` milliseconds, \`_BYTES\` bytes, \`_PER_MINUTE\`, and so on. A value may have a unit
  of its own: \`500ms\`, \`30s\`, \`5min\`, \`12h\`, \`7d\`; \`64KiB\`, \`256MiB\`, \`1GiB\` (\`1MB\` is 1,000,000 bytes); \`8KiB/s\`; \`5/min\`, \`10/s\`;
  \`5%\`.
- A variable that begins with \`FERRY_\` but is not a setting is named in a warning, with the name that was probably meant.
- \`ferry config\` checks and prints the settings of relay and node, with where each comes from; \`ferry config --changed\` prints only those that
  are set. Secrets are masked. It reads the environment of the shell it runs in, so run it in the environment of the relay. It ends with 2
  when relay or node would not start.
- \`ferry up\` starts the relay and the node with its own environment.

## Settings file

The file is the first of \`--config FILE\`, \`FERRY_CONFIG_FILE\` and \`ferry.toml\` in the data directory. Only the last may be missing. It is
[TOML](https://toml.io), with a section for the relay and one for the node; each program reads its own section.

\`\`\`toml
[relay]
host = "0.0.0.0"
base_url = "https://relay.example"
trusted_proxies = ["127.0.0.1", "10.0.0.0/8"]
queue_timeout_ms = "45s"
body_limit_bytes = "32MiB"
explain_headers = true

[node]
name = "workstation"
log_level = "debug"
\`\`\`

A key is the variable in lower case without \`FERRY_\`, for the node without \`FERRY_NODE_\`: \`FERRY_QUEUE_TIMEOUT_MS\` is \`queue_timeout_ms\`,
\`DATABASE_URL\` is \`database_url\`. Values are text, numbers, \`true\` and \`false\` for \`on\` and \`off\`, and lists. An unknown key is an error. The data
directory and the variables of the command line cannot be set here.

A file with secrets (\`database_url\`, \`secret\`, \`nats_url\`, …) belongs to the user of the relay, with mode 0600. The relay warns when every user
of the computer can read it.

## Reload

Relay and node read the settings file again at SIGHUP (\`systemctl reload\`, \`kill -HUP\`), and so do those of \`ferry up\`. The settings marked
“yes” under Reload change at once, without an effect on running requests. The log names them, and those that need a restart. A wrong file
changes nothing; the log has its mistakes. The environment of a running process cannot change. On a terminal SIGHUP stops relay and node,
because closing the terminal sends it.

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
  const relay = relaySettingGroups.map(({ title, settings }) => `### ${title}\n\n${table(settings)}\n`).join('\n');
  return `${introduction}## Relay\n\n${relay}\n## Node\n\nWhich engines a node serves is set in [\`engines.json\`](../guide/engines.md#discovery-and-configuration).\n\n${nodeOnly}${table(agentSettings)}\n`;
}

const table = (settings: SettingsTable): string =>
  [
    '| Variable | Default | Values | Reload | Meaning |',
    '| --- | --- | --- | --- | --- |',
    ...Object.values(settings).map(
      (setting) =>
        `| \`${setting.env}\` | ${defaultOf(setting)} | ${valuesOf(setting)} | ${setting.reload === true ? 'yes' : ''} | ${setting.description.replaceAll('|', '\\|')} |`,
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
