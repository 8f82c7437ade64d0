// Own processes: `ferry up` in a fresh home, as a reader starts it.
/** The snippets of README and guide, run as they are written, in a fresh home, with what `ferry up` prints there. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeOllama } from '../engines/fakes/ollama.js';
import { eventually } from '../support/clock/eventually.js';
import { pageSnippets, type Snippet } from '../support/docs/page-snippets.js';
import { FerryProcess, repositoryRoot } from '../support/process/ferry-process.js';
import { timeFactor } from '../runner/time-factor.js';

const READY_WITHIN_MS = 60_000;
const SNIPPET_WITHIN_MS = 30_000;
const RESPONSE = 'Hello! How can I help you today?';

/** Snippets that cannot run here, by page and first line, with the reason. */
const notRun: Readonly<Record<string, string>> = {
  'README.md: npm run up': 'test/e2e/npm-run-up.spec.ts runs it; verify would run this suite again',
  'README.md: curl -fsSL https://your-relay.example/install.sh | sh -s -- --token ferry-join-…':
    'test/e2e/second-computer.spec.ts runs it, on a computer of its own',
  'docs/guide/accounts.md: FERRY_OIDC_ISSUER=https://login.example.com': 'settings, no commands',
  'docs/guide/accounts.md: ferry users remove ada@example.com --erase': 'a person of the reader: remove-user.spec.ts',
  'docs/guide/clients.md: export OPENAI_API_BASE=https://relay.example/v1': 'starts aider: test/clients',
  'docs/guide/clients.md: unset ANTHROPIC_API_KEY': 'starts Claude Code: test/agents',
  'docs/guide/command-line.md: ferry up --detach': 'stops the Ferry that this suite asks: test/e2e/first-week.spec.ts',
  'docs/guide/command-line.md: ferry login https://relay.example': 'waits for a person: src/cli/commands/login',
  'docs/guide/command-line.md: ferry login approve BCDF-GHJK': 'needs a command line that waits for it',
  'docs/guide/command-line.md: ferry --profile work login https://relay.work.example': 'waits for a person',
  'docs/guide/keys-and-nodes.md: ferry nodes approve BCDF-GHJK':
    'needs a computer that waits: test/unit/device-codes.spec.ts',
  'docs/guide/models.md: curl "$FERRY_BASE_URL/api/operations" -H "Authorization: Bearer $FERRY_TOKEN" -H \'Content-Type: application/json\' \\':
    'ids that a reader fills in: test/e2e/operations.spec.ts',
  'docs/guide/real-model.md: ferry models search qwen3 4b': 'downloads 2.5 GB',
  'docs/guide/real-model.md: ferry models install ./my-model-q4_k_m.gguf --load': 'a model of the reader',
  'docs/guide/remote-access.md: npm run up -- --host 0.0.0.0': 'test/e2e/quickstart.spec.ts runs it',
  'docs/guide/remote-access.md: ssh -N -L 8787:127.0.0.1:8787 user@computer-with-ferry': 'needs another computer',
  'docs/guide/second-computer.md: curl -fsSL https://relay.example/install.sh | sh -s -- --token ferry-join-…':
    'test/e2e/second-computer.spec.ts runs it, on a computer of its own',
  'docs/guide/second-computer.md: curl --cacert ca.pem -fsSL https://relay.example/install.sh | sh -s -- --token ferry-join-… --ca-file ca.pem':
    'needs a certificate of the reader’s authority',
  'docs/guide/second-computer.md: curl -fsSL https://relay.example/install.sh | sh':
    'updates what an installer has installed',
  'docs/guide/second-computer.md: ferry-node uninstall':
    'removes what an installer has installed: own-commands.spec.ts',
};

/** What a reader does differently, because nobody is there to answer or to press Ctrl-C, and there is no other network. */
const edits: readonly (readonly [written: RegExp, run: string, why: string])[] = [
  [/^(ferry (?:keys|nodes) (?:revoke|delete) \S+)/gm, '$1 --yes', 'asks on a terminal'],
  [/^ferry run qwen3:8b /gm, 'ferry run qwen3:8b "Hello" ', 'a conversation on a terminal'],
  [/^ferry models search .*$/gm, '', 'asks Hugging Face'],
  [/^ferry requests --follow/gm, 'timeout 2 ferry requests --follow || true', 'runs until Ctrl-C'],
  [/^ferry logs --follow/gm, 'timeout 2 ferry logs --follow || true', 'runs until Ctrl-C'],
  [/^ferry top/gm, 'ferry top --once', 'watches until q'],
  [/^(ferry connect (?:--undo )?codex)/gm, '$1 --yes', 'asks on a terminal'],
  [/^ollama pull qwen3:8b/gm, 'ferry models install qwen3:8b', 'Ollama is played by a server'],
];

const snippets = pageSnippets();

describe('the snippets of README and guide', () => {
  let directory: string;
  let engine: FakeOllama;
  let up: FerryProcess;
  let env: NodeJS.ProcessEnv;
  let baseUrl: string;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'ferry-readme-'));
    engine = await FakeOllama.start({
      models: [{ name: 'qwen3:8b', contextTokens: 40_960 }],
      resident: ['qwen3:8b'],
    });
    const home = { HOME: directory, XDG_DATA_HOME: undefined, XDG_CONFIG_HOME: undefined };
    up = FerryProcess.start(['up', '--port', '0'], {
      ...home,
      FERRY_DISCOVERY: 'on',
      FERRY_DISCOVERY_PORTS: new URL(engine.url).port,
    });
    await eventually('the screen', () => up.stdout.includes('Ctrl-C'), READY_WITHIN_MS);
    await mkdir(path.join(directory, 'bin'));
    await symlink(path.join(repositoryRoot, 'bin/ferry.js'), path.join(directory, 'bin/ferry'));
    env = { PATH: `${path.join(directory, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: directory };
    // What a reader does: each variable gets the value behind the label that is named beside it.
    const exports = snippets.find(({ page, code }) => page === 'README.md' && code.startsWith('export '));
    const variables = [...(exports?.code ?? '').matchAll(/^export (\w+)=\S+ +# (.+)$/gm)];
    expect(variables.map(([, name]) => name)).toEqual(['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'FERRY_API_KEY']);
    for (const [, name = '', label = ''] of variables) env[name] = printed(label);
    baseUrl = printed('Anthropic clients');
    // Where the reader has installed the SDKs.
    await symlink(path.join(repositoryRoot, 'node_modules'), path.join(directory, 'node_modules'));
    await eventually(
      'the models of Ollama',
      async () => (await shell('ferry models')).includes('qwen3:8b'),
      READY_WITHIN_MS,
    );
  }, 150_000);

  afterAll(async () => {
    await up.stop('SIGINT');
    await engine.stop();
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  const printed = (label: string): string => {
    const line = up.stdout.split('\n').find((candidate) => candidate.trim().startsWith(`${label} `));
    const value = line?.trim().slice(label.length).trim().split(' ')[0];
    if (value === undefined) throw new Error(`ferry up prints no "${label}":\n${up.stdout}`);
    return value;
  };

  const run = async (program: string, args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(program, args, { cwd: directory, env, timeout: SNIPPET_WITHIN_MS * timeFactor })).stdout;

  /** Every line must succeed. */
  const shell = (code: string): Promise<string> => run('bash', ['-e', '-o', 'pipefail', '-c', code]);

  /** With the reader's own address, key and computer in place of the example's. */
  const asRead = (code: string): string =>
    edits
      .reduce((text, [written, other]) => text.replaceAll(written, other), code)
      .replaceAll('https://relay.example', baseUrl)
      .replaceAll('http://127.0.0.1:8787', baseUrl)
      .replaceAll(/sk-ferry-(YOUR-KEY|…)/g, env['FERRY_API_KEY'] ?? '');

  const runSnippet = async ({ language, code }: Snippet): Promise<string> => {
    if (language === 'sh') return shell(asRead(code));
    await writeFile(path.join(directory, 'snippet.mjs'), asRead(code));
    return run(process.execPath, ['snippet.mjs']);
  };

  /** A computer of the account that nobody needs. */
  const joinDesk = async (): Promise<void> => {
    if (/\bdesk\b/.test(await shell('ferry nodes'))) return;
    const data = path.join(await mkdtemp(path.join(directory, 'desk-')), 'data');
    await shell(`ferry node join "$(ferry nodes join-token)" --relay ${baseUrl} --name desk --data-dir ${data}`);
  };

  it('begin with the screen of `npm run up`, line by line except for values that depend on the computer', async () => {
    const readme = await readFile(path.join(repositoryRoot, 'README.md'), 'utf8');
    const [, screen = ''] = /^```\n(● Ferry is running\n.*?)^```$/ms.exec(readme) ?? [];
    const beginnings = (text: string): string[] =>
      text
        .split('\n')
        .filter((line) => line !== '' && !/^ +(?:Ollama|First, once)/.test(line))
        .map((line) => line.trim().split(/ {2}| http|: ~|: \//)[0] ?? '');
    expect(beginnings(up.stdout)).toEqual(beginnings(screen));
  });

  it.each(snippets.filter(({ name }) => notRun[name] === undefined).map((snippet) => [snippet.name, snippet] as const))(
    '%s',
    async (_name, snippet) => {
      if (/\bdesk\b/.test(snippet.code)) await joinDesk();
      const stdout = await runSnippet(snippet);
      if (snippet.language === 'js') expect(stdout).toContain(RESPONSE);
      else if (snippet.code.includes('"stream":true')) expect(stdout.trimEnd().endsWith('data: [DONE]')).toBe(true);
    },
    60_000,
  );

  it('the snippets of README and guide are all run, or listed with a reason, and the list has no stale entries', () => {
    const names = snippets.map(({ name }) => name);
    expect(Object.keys(notRun).filter((name) => !names.includes(name))).toEqual([]);
    for (const [written, , why] of edits) {
      expect({ why, used: snippets.some(({ code }) => code.search(written) !== -1) }).toEqual({ why, used: true });
    }
  });
});
