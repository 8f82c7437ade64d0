/**
 * Coding agents as their users run them, configured as on the quickstart page, against a plain `npm run up`. Not part of
 * `npm test`: their first prompts have 17,000 to 45,000 tokens, which take minutes on a small computer. `npm test -- agents`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { ferry, FerryProcess, repositoryRoot } from '../support/process/ferry-process.js';
import { installAgent, type AgentName, type AgentProgram } from './installed-agents.js';

const INSTALL_MS = 300_000;
const READY_MS = 180_000;
/** A prefill of 45,000 tokens of `tiny` on two busy cores takes three to six minutes. */
const AGENT_MS = 900_000;
const STOP_MS = 20_000;
const MAX_OUTPUT_TOKENS = 200;

interface Started {
  readonly base_url: string;
  readonly api_key: string;
}

interface AgentEvent {
  readonly type?: string;
  readonly item?: { readonly type?: string; readonly text?: string };
  readonly part?: { readonly text?: string };
  readonly is_error?: boolean;
  readonly result?: string;
}

/** Agents print one JSON object per line, among lines for people. */
const eventsOf = (stdout: string): AgentEvent[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as AgentEvent);

describe('after `npm run up`', () => {
  let directory: string;
  let home: string;
  let up: FerryProcess;
  let started: Started;
  const programs = new Map<AgentName, AgentProgram>();

  beforeAll(async () => {
    for (const agent of ['codex', 'claude', 'opencode'] as const) programs.set(agent, installAgent(agent));
    directory = await mkdtemp(path.join(tmpdir(), 'ferry-agents-'));
    home = path.join(directory, 'home');
    await mkdir(path.join(home, 'project'), { recursive: true });
    const args = ['run', '--silent', 'up', '--', '--json', '--port', '0', '--data-dir', path.join(directory, 'data')];
    up = FerryProcess.startProgram('npm', args, repositoryRoot, { FERRY_CONFIG_DIR: path.join(directory, 'config') });
    started = await eventually(
      'the JSON line of `npm run up`',
      () => {
        const line = up.stdout.split('\n').find((candidate) => candidate.startsWith('{'));
        return line === undefined ? undefined : (JSON.parse(line) as Started);
      },
      READY_MS,
    );
  }, INSTALL_MS + READY_MS);

  afterAll(async () => {
    up.child.kill('SIGTERM');
    await up.exited;
    await rm(directory, { recursive: true, force: true });
  }, STOP_MS);

  /** Runs an agent to completion; one that exceeds its limit is killed and reported with its output. */
  async function run(
    agent: AgentName,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<AgentEvent[]> {
    const { program, args: first } = programs.get(agent) ?? installAgent(agent);
    const child = FerryProcess.startProgram(program, [...first, ...args], path.join(home, 'project'), {
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, '.config'),
      XDG_DATA_HOME: path.join(home, '.local/share'),
      FERRY_API_KEY: started.api_key,
      ...env,
    });
    const limit = setTimeout(() => child.child.kill('SIGKILL'), AGENT_MS);
    const code = await child.exited;
    clearTimeout(limit);
    if (code !== 0) throw new Error(`${agent} ended with ${code}: ${child.stdout}\n${child.stderr}`);
    return eventsOf(child.stdout);
  }

  it(
    'Codex exits with the text of the model',
    async () => {
      await mkdir(path.join(home, '.codex'), { recursive: true });
      const config = `model = "tiny"
model_provider = "ferry"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.ferry]
name = "Ferry"
base_url = "${started.base_url}/v1"
env_key = "FERRY_API_KEY"
wire_api = "responses"
`;
      await writeFile(path.join(home, '.codex/config.toml'), config);
      const events = await run('codex', ['exec', '--skip-git-repo-check', '--json', 'Hello'], {});
      const messages = events.filter(({ item }) => item?.type === 'agent_message').map(({ item }) => item?.text);
      expect(messages.join('')).not.toBe('');
      expect(events.at(-1)?.type).toBe('turn.completed');
    },
    AGENT_MS,
  );

  /** @returns its last event */
  const claude = async (prompt: string): Promise<AgentEvent | undefined> => {
    const events = await run('claude', ['-p', '--output-format', 'json', prompt], {
      ANTHROPIC_BASE_URL: started.base_url,
      ANTHROPIC_AUTH_TOKEN: started.api_key,
      ANTHROPIC_MODEL: 'tiny',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'tiny',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(MAX_OUTPUT_TOKENS),
      DISABLE_AUTOUPDATER: '1',
    });
    return events.find(({ type }) => type === 'result');
  };

  it(
    'Claude Code exits with the text of the model',
    async () => {
      const result = await claude('Hello');
      expect(result).toMatchObject({ is_error: false });
      expect(result?.result).not.toBe('');
    },
    AGENT_MS,
  );

  it(
    'Claude Code counts the tokens of its context where the extension count-tokens is on',
    async () => {
      const env = {
        FERRY_CONFIG_DIR: path.join(directory, 'config'),
        FERRY_DATA_DIR: path.join(directory, 'data'),
      };
      const counted = async (): Promise<readonly { readonly outcome: string }[]> => {
        const { stdout } = await ferry(['requests', '--json'], env);
        const { data } = JSON.parse(stdout) as { data: readonly { dialect: string; outcome: string }[] };
        return data.filter(({ dialect }) => dialect === 'messages-count');
      };
      const sizeOf = (result: AgentEvent | undefined): string | undefined =>
        /\*\*Tokens:\*\* ([\d.]+k)/.exec(result?.result ?? '')?.[1];
      const estimated = sizeOf(await claude('/context'));
      expect(await counted()).toEqual([]);
      expect((await ferry(['extensions', 'on', 'count-tokens'], env)).code).toBe(0);
      const exact = sizeOf(await claude('/context'));
      expect([estimated, exact]).toEqual([expect.any(String), expect.any(String)]);
      expect(exact).not.toBe(estimated);
      const requests = await eventually('the counts are in the log', async () => {
        const found = await counted();
        return found.length > 0 && found;
      });
      expect(requests.filter(({ outcome }) => outcome !== 'completed')).toEqual([]);
    },
    AGENT_MS,
  );

  it(
    'opencode exits with the text of the model',
    async () => {
      const limit = { context: 131_072, output: MAX_OUTPUT_TOKENS };
      const config = {
        autoupdate: false,
        share: 'disabled',
        model: 'ferry/tiny',
        small_model: 'ferry/tiny',
        provider: {
          ferry: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Ferry',
            options: { baseURL: `${started.base_url}/v1`, apiKey: '{env:FERRY_API_KEY}' },
            models: { tiny: { name: 'tiny', limit } },
          },
        },
      };
      await mkdir(path.join(home, '.config/opencode'), { recursive: true });
      await writeFile(path.join(home, '.config/opencode/opencode.json'), JSON.stringify(config));
      const events = await run('opencode', ['run', '--format', 'json', '--model', 'ferry/tiny', 'Hello'], {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      });
      const text = events.filter(({ type }) => type === 'text').map(({ part }) => part?.text);
      expect(text.join('')).not.toBe('');
      expect(events.at(-1)?.type).toBe('step_finish');
    },
    AGENT_MS,
  );
});
