/** Two examples per command, at the end of its help and in docs/reference/command-line.md. A test fails when a command has none. */
import type { Command } from 'commander';

export type Examples = readonly [string, string];

/** Keyed by the words after `ferry`. */
export const commandExamples: Readonly<Record<string, Examples>> = {
  up: ['ferry up --host 0.0.0.0', 'ferry up --detach'],
  down: ['ferry down', 'ferry down --data-dir ~/second-ferry'],
  serve: [
    'FERRY_BASE_URL=https://relay.example ferry serve --host 127.0.0.1',
    'DATABASE_URL=postgres://127.0.0.1/ferry ferry serve --port 9000',
  ],
  config: ['ferry config --changed', 'ferry config --json'],
  'accounts list': ['ferry accounts list', 'ferry accounts list --json'],
  'accounts export': [
    'ferry accounts export acme acme.ndjson.gz',
    'ferry accounts export acc_6b1f0c2e9a7d4f538d1c2b3a4e5f6071 all.ndjson.gz',
  ],
  'accounts delete': ['ferry accounts delete acme', 'ferry accounts delete acc_6b1f0c2e9a7d4f538d1c2b3a4e5f6071 --yes'],
  backup: ['ferry backup ferry-2026-11-25.backup', 'ferry backup whole.backup --with-secret'],
  'db move': [
    'DATABASE_URL=postgres://127.0.0.1/ferry ferry db move',
    'DATABASE_URL=postgres://127.0.0.1/ferry ferry db move --replace',
  ],
  restore: ['ferry restore ferry-2026-11-25.backup', 'ferry restore ferry-2026-11-25.backup --replace --yes'],
  'node join': [
    'ferry node join ferry-join-… --relay https://relay.example',
    'ferry node join --device-code --relay https://relay.example --name desk',
  ],
  'node run': ['ferry node run', 'ferry node run --engine http://127.0.0.1:8000'],
  'node status': ['ferry node status', 'ferry node status --json'],
  'node doctor': ['ferry node doctor', 'ferry node doctor --json'],
  'node service install': ['ferry node service install', 'sudo ferry node service install --system --user ada'],
  'node service uninstall': ['ferry node service uninstall', 'ferry node service uninstall --json'],
  'node service status': ['ferry node service status', 'ferry node service status --json'],
  'node service logs': ['ferry node service logs', 'ferry node service logs --lines 20 --follow'],
  'service install': ['ferry service install', 'ferry service install up --host 0.0.0.0'],
  'service status': ['ferry service status', 'ferry service status up --json'],
  'service uninstall': ['ferry service uninstall', 'ferry service uninstall up'],
  'service logs': ['ferry service logs', 'ferry service logs serve --follow'],
  uninstall: ['ferry uninstall', 'ferry uninstall --data'],
  'node logs': ['ferry node logs', 'ferry node logs --follow'],
  'node uninstall': ['ferry node uninstall', 'ferry node uninstall --data'],
  login: ['ferry login https://relay.example', 'ferry login https://relay.example --email ada@example.com'],
  'login approve': ['ferry login approve BCDF-GHJK', 'ferry login approve BCDF-GHJK --yes'],
  logout: ['ferry logout', 'ferry logout --profile work'],
  passwd: ['ferry passwd', 'ferry passwd --password-stdin < passwords.txt'],
  whoami: ['ferry whoami', 'ferry whoami --profile work --json'],
  status: ['ferry status', 'ferry status --base-url https://relay.example'],
  'profiles list': ['ferry profiles list', 'ferry profiles list --json'],
  'profiles use': ['ferry profiles use work', 'ferry profiles use default'],
  'profiles remove': ['ferry profiles remove work', 'ferry profiles remove work --yes'],
  'clusters list': ['ferry clusters list', 'ferry clusters list --json'],
  'clusters create': ['ferry clusters create office', 'ferry clusters create "second floor"'],
  'clusters rename': ['ferry clusters rename office lab', 'ferry clusters rename offi lab'],
  'clusters delete': ['ferry clusters delete lab', 'ferry clusters delete lab --yes'],
  'nodes list': ['ferry nodes list', 'ferry nodes list --wide'],
  'nodes show': ['ferry nodes show desk', 'ferry nodes show desk --json'],
  'nodes history': ['ferry nodes history desk', 'ferry nodes history desk --range week --json'],
  'nodes join-token': ['ferry nodes join-token', 'ferry nodes join-token --cluster office'],
  'nodes join-tokens': ['ferry nodes join-tokens', 'ferry nodes join-tokens --wide'],
  'nodes revoke-join-token': [
    'ferry nodes revoke-join-token JOIN_TOKEN_ID',
    'ferry nodes revoke-join-token JOIN_TOKEN_ID --yes',
  ],
  'nodes approve': ['ferry nodes approve BCDF-GHJK', 'ferry nodes approve BCDF-GHJK --name desk --cluster office'],
  'nodes confirm': [
    'ferry nodes confirm desk task tribe vital clown coast arch',
    'ferry nodes confirm nd_5ab7b6f3ca08 task tribe vital clown coast arch',
  ],
  'nodes rename': ['ferry nodes rename desk tower', 'ferry nodes rename desk "tower in the attic"'],
  'nodes note': ['ferry nodes note desk "under the desk of Ada"', 'ferry nodes note desk'],
  'nodes tag': ['ferry nodes tag desk office gpu', 'ferry nodes tag desk office'],
  'nodes untag': ['ferry nodes untag desk office', 'ferry nodes untag desk office gpu'],
  'nodes move': ['ferry nodes move desk office', 'ferry nodes move desk home'],
  'nodes pause': ['ferry nodes pause desk', 'ferry nodes pause desk --json'],
  'nodes resume': ['ferry nodes resume desk', 'ferry nodes resume desk --json'],
  'nodes revoke': ['ferry nodes revoke desk', 'ferry nodes revoke desk --yes'],
  'nodes delete': ['ferry nodes delete desk', 'ferry nodes delete desk --yes'],
  'models list': ['ferry models list', 'ferry models list --json'],
  'models show': ['ferry models show qwen3:8b', 'ferry models show qwen --wide'],
  'models search': ['ferry models search qwen3 coder', 'ferry models search gemma'],
  'models starters': ['ferry models starters desk', 'ferry models starters desk --wide'],
  'models ps': ['ferry models ps', 'ferry models ps --wide'],
  'models install': [
    'ferry models install qwen3:8b --node desk --load',
    'ferry models install hf:Qwen/Qwen3-8B-GGUF:Q4_K_M',
  ],
  'models load': ['ferry models load qwen3:8b --context 16384', 'ferry models load qwen3:8b --node desk --detach'],
  'models unload': ['ferry models unload qwen3:8b', 'ferry models unload qwen --node desk'],
  'models remove': ['ferry models remove qwen3:8b', 'ferry models remove qwen3:8b --node desk --yes'],
  'models jobs list': ['ferry models jobs list --all', 'ferry models jobs list --failed'],
  'models jobs watch': [
    'ferry models jobs watch 5f6071',
    'ferry models jobs watch op_6b1f0c2e9a7d4f538d1c2b3a4e5f6071 --json',
  ],
  'models jobs cancel': [
    'ferry models jobs cancel 5f6071',
    'ferry models jobs cancel op_6b1f0c2e9a7d4f538d1c2b3a4e5f6071',
  ],
  'models jobs retry': [
    'ferry models jobs retry 5f6071',
    'ferry models jobs retry op_6b1f0c2e9a7d4f538d1c2b3a4e5f6071 --json',
  ],
  'models jobs dismiss': [
    'ferry models jobs dismiss 5f6071',
    'ferry models jobs dismiss op_6b1f0c2e9a7d4f538d1c2b3a4e5f6071',
  ],
  'keys list': ['ferry keys list', 'ferry keys list --wide'],
  'keys create': [
    'export FERRY_API_KEY=$(ferry keys create laptop)',
    'ferry keys create ci --expires 90d --rpm 60 --cluster lab',
  ],
  'keys update': ['ferry keys update laptop --concurrency 2', 'ferry keys update laptop --rpm none'],
  'keys roll': ['ferry keys roll laptop', 'ferry keys roll laptop --overlap 1h'],
  'keys revoke': ['ferry keys revoke laptop', 'ferry keys revoke laptop --yes'],
  'extensions list': ['ferry extensions list', 'ferry extensions list --json'],
  'extensions on': ['ferry extensions on count-tokens', 'ferry extensions on x-api-key json-errors'],
  'extensions off': ['ferry extensions off x-api-key', 'ferry extensions off count-tokens model-by-id'],
  'extensions reset': ['ferry extensions reset x-api-key', 'ferry extensions reset count-tokens --json'],
  'users list': ['ferry users list', 'ferry users list --json'],
  'users invite': ['ferry users invite', 'ferry users invite --role admin'],
  'users accept': [
    "ferry users accept 'https://relay.example/console/invite#ferry-invite-…' --email ada@example.com",
    'ferry users accept ferry-invite-… --base-url https://relay.example --email ada@example.com',
  ],
  'users create-owner': [
    'ferry users create-owner ada@example.com',
    'ferry users create-owner ada@example.com --password-stdin < password.txt',
  ],
  'users disable': ['ferry users disable ada@example.com', 'ferry users disable ada@example.com --json'],
  'users enable': ['ferry users enable ada@example.com', 'ferry users enable ada@example.com --json'],
  'users invites': ['ferry users invites', 'ferry users invites --wide'],
  'users revoke-invite': ['ferry users revoke-invite INVITE_ID', 'ferry users revoke-invite INVITE_ID --yes'],
  'users tokens': ['ferry users tokens', 'ferry users tokens --wide'],
  'users revoke-token': ['ferry users revoke-token CLI_TOKEN_ID', 'ferry users revoke-token CLI_TOKEN_ID --yes'],
  'users role': ['ferry users role ada@example.com admin', 'ferry users role ada@example.com member'],
  'users remove': ['ferry users remove ada@example.com', 'ferry users remove ada@example.com --revoke-keys --yes'],
  'users erase': ['ferry users erase USER_ID', 'ferry users erase USER_ID --yes'],
  'users reset-password': [
    'ferry users reset-password ada@example.com',
    'ferry users reset-password ada@example.com --json',
  ],
  run: ['ferry run qwen3:8b', 'ferry run hf:Qwen/Qwen3-8B-GGUF "Why is the sky blue?"'],
  chat: ['ferry chat', 'ferry chat --model tiny "Count to 8"'],
  env: ['eval "$(ferry env openai)"', 'ferry env opencode > opencode.json'],
  connect: ['ferry connect codex', 'ferry connect codex --model qwen3:8b --print'],
  usage: ['ferry usage', 'ferry usage --since 24h --by key'],
  top: ['ferry top', 'ferry top --once'],
  requests: ['ferry requests', 'ferry requests --follow --model qwen3:8b'],
  logs: ['ferry logs --follow --level warn', 'ferry logs desk'],
  explain: ['ferry explain 2', 'ferry explain 9a7d4f'],
  audit: ['ferry audit', 'ferry audit --since 7d --action key --csv'],
  probe: ['ferry probe --once', 'ferry probe --model qwen3:8b --timeout 20'],
  doctor: ['ferry doctor', 'ferry doctor https://relay.example'],
  completion: ['eval "$(ferry completion bash)"', 'ferry completion fish | source'],
  ps: ['ferry ps', 'ferry ps --wide'],
  list: ['ferry list', 'ferry list --json'],
  show: ['ferry show qwen3:8b', 'ferry show qwen --wide'],
  pull: ['ferry pull qwen3:8b', 'ferry pull hf:Qwen/Qwen3-8B-GGUF --load'],
  rm: ['ferry rm qwen3:8b', 'ferry rm qwen3:8b --node desk --yes'],
  stop: ['ferry stop', 'ferry stop qwen3:8b'],
  version: ['ferry version', 'ferry version --json'],
  update: ['ferry update', 'ferry update --json'],
};

/** Adds its examples to the help of each command below this one; a group shows those of its first commands. */
export function addExamples(command: Command, words = ''): void {
  for (const child of command.commands) addExamples(child, `${words} ${child.name()}`.trim());
  const examples = words === '' ? [] : examplesOf(command, words);
  if (examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
}

function examplesOf(command: Command, words: string): readonly string[] {
  const own = commandExamples[words];
  if (own !== undefined) return own;
  const each = command.commands.length === 1 ? 2 : 1;
  const ofChildren = command.commands.flatMap((child) => examplesOf(child, `${words} ${child.name()}`).slice(0, each));
  return ofChildren.slice(0, 2);
}
