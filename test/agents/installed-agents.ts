/**
 * Coding agents from the npm registry, in exact versions, outside the project's packages: they are 1.2 GB, and their licences differ from ours.
 * Each is installed once, into `.test-artifacts`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../support/process/ferry-process.js';

/** A command line that runs the agent: the program, then its arguments. */
export interface AgentProgram {
  readonly program: string;
  readonly args: readonly string[];
}

interface AgentPackage {
  readonly name: string;
  readonly version: string;
  readonly start: (modules: string) => AgentProgram;
}

const platformPackage = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

const script =
  (file: string) =>
  (modules: string): AgentProgram => ({ program: process.execPath, args: [path.join(modules, file)] });

const packages = {
  codex: { name: '@openai/codex', version: '0.169.0', start: script('@openai/codex/bin/codex.js') },
  claude: {
    name: '@anthropic-ai/claude-code',
    version: '2.1.330',
    start: script('@anthropic-ai/claude-code/cli-wrapper.cjs'),
  },
  opencode: {
    name: 'opencode-ai',
    version: '1.18.33',
    start: (modules) => ({ program: path.join(modules, `opencode-${platformPackage}/bin/opencode`), args: [] }),
  },
  qwen: { name: '@qwen-code/qwen-code', version: '0.24.4', start: script('@qwen-code/qwen-code/cli-entry.js') },
} satisfies Readonly<Record<string, AgentPackage>>;

export type AgentName = keyof typeof packages;

/** Without install scripts: each package ships its program as an optional package of the platform. */
export function installAgent(agent: AgentName): AgentProgram {
  const { name, version, start } = packages[agent];
  const folder = path.join(repositoryRoot, '.test-artifacts', 'agents', `${agent}-${version}`);
  const complete = path.join(folder, 'complete');
  if (!existsSync(complete)) {
    mkdirSync(folder, { recursive: true });
    const manifest = { private: true, dependencies: { [name]: version } };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    const { status, stderr } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`${name} could not be installed: ${stderr}`);
    writeFileSync(complete, '');
  }
  return start(path.join(folder, 'node_modules'));
}
