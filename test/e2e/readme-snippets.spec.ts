/** Runs the README's snippets unchanged, with the output of `ferry up`. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FerryProcess, repositoryRoot } from '../support/process/ferry-process.js';

const READY_WITHIN_MS = 60_000;
const SNIPPET_WITHIN_MS = 30_000;
const ANSWER = 'Hello! How can I help you today?';

describe('the snippets of the README', () => {
  let directory: string;
  let up: FerryProcess;
  let env: NodeJS.ProcessEnv;
  let blocks: readonly { readonly language: string; readonly code: string }[];

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'ferry-readme-'));
    const readme = await readFile(path.join(repositoryRoot, 'README.md'), 'utf8');
    const useIt = readme.slice(readme.indexOf('\n## Use it\n'), readme.indexOf('\n## Add a computer\n'));
    blocks = [...useIt.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
      language,
      code,
    }));
    up = FerryProcess.start(['up', '--port', '0', '--data-dir', path.join(directory, 'data')], {
      FERRY_CONFIG_DIR: path.join(directory, 'config'),
    });
    await eventually('the screen', () => up.stdout.includes('Ctrl-C'), READY_WITHIN_MS);
    // As a reader does: each variable gets the value behind its label in the output.
    const variables = [...snippet('sh', 'export ').matchAll(/^export (\w+)=\S+ +# (.+)$/gm)];
    expect(variables.map(([, name]) => name)).toEqual(['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'FERRY_API_KEY']);
    env = { PATH: process.env['PATH'] };
    for (const [, name = '', label = ''] of variables) env[name] = printed(label);
    // Where the reader has installed the SDKs.
    await symlink(path.join(repositoryRoot, 'node_modules'), path.join(directory, 'node_modules'));
  }, 90_000);

  afterAll(async () => {
    await up.stop('SIGINT');
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  const snippet = (language: string, containing: string): string => {
    const found = blocks.filter((block) => block.language === language && block.code.includes(containing));
    expect(found).toHaveLength(1);
    return found[0]?.code ?? '';
  };

  const printed = (label: string): string => {
    const line = up.stdout.split('\n').find((candidate) => candidate.trim().startsWith(`${label} `));
    if (line === undefined) throw new Error(`ferry up prints no "${label}":\n${up.stdout}`);
    return line.trim().slice(label.length).trim();
  };

  const run = async (program: string, args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(program, args, { cwd: directory, env, timeout: SNIPPET_WITHIN_MS })).stdout;

  const runModule = async (code: string): Promise<string> => {
    await writeFile(path.join(directory, 'snippet.mjs'), code);
    return run(process.execPath, ['snippet.mjs']);
  };

  it('stream an answer with curl', async () => {
    const stdout = await run('bash', ['-c', snippet('sh', 'curl ')]);
    expect(stdout).toContain('"delta"');
    expect(stdout.trimEnd().endsWith('data: [DONE]')).toBe(true);
  }, 60_000);

  it('print an answer with the OpenAI SDK', async () => {
    expect(await runModule(snippet('js', "from 'openai'"))).toBe(ANSWER);
  }, 60_000);

  it('print an answer with the Anthropic SDK', async () => {
    expect(await runModule(snippet('js', "from '@anthropic-ai/sdk'"))).toBe(`${ANSWER}\n`);
  }, 60_000);
});
