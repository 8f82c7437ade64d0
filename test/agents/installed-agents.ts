/**
 * Codex, Claude Code and opencode from the npm registry, in exact versions, outside the project's packages: they are 1 GB, and
 * their licences differ from ours. Installed once into `.test-artifacts`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../support/process/ferry-process.js';

const packages = {
  '@openai/codex': '0.169.0',
  '@anthropic-ai/claude-code': '2.1.330',
  'opencode-ai': '1.18.33',
} as const;

const folder = path.join(repositoryRoot, '.test-artifacts', 'agents', Object.values(packages).join('_'));
const modules = path.join(folder, 'node_modules');
const complete = path.join(folder, 'complete');

/** Without install scripts: each package ships its program as an optional package of the platform. */
export function installAgents(): void {
  if (existsSync(complete)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  const { status, stderr } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`the coding agents could not be installed: ${stderr}`);
  writeFileSync(complete, '');
}

/** A command line that runs the agent: the program, then its arguments. */
export interface AgentProgram {
  readonly program: string;
  readonly args: readonly string[];
}

const platformPackage = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

export const programs: Readonly<Record<'codex' | 'claude' | 'opencode', AgentProgram>> = {
  codex: { program: process.execPath, args: [path.join(modules, '@openai/codex/bin/codex.js')] },
  claude: { program: process.execPath, args: [path.join(modules, '@anthropic-ai/claude-code/cli-wrapper.cjs')] },
  opencode: { program: path.join(modules, `opencode-${platformPackage}/bin/opencode`), args: [] },
};
