/**
 * `npm run test:engines`: the suite of all engines against a real llama.cpp server. Without a program in FERRY_TEST_LLAMA_SERVER that is the one
 * of a Python package, installed into node_modules/.cache by its hash.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve('test/engines/programs');
const environment = path.resolve('node_modules/.cache/real-engines');

/** @param {string} program @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env] */
function run(program, args, env = process.env) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env });
  if (error !== undefined) throw error;
  return status === 0;
}

/** The environment variables that name the server of the package. */
function packagedServer() {
  const bin = path.join(environment, 'bin');
  const pip = path.join(bin, 'pip');
  if (!existsSync(pip)) {
    rmSync(environment, { recursive: true, force: true });
    if (!run('python3', ['-m', 'venv', environment]))
      throw new Error('python3 -m venv is needed (Debian: python3-venv)');
  }
  const requirements = path.join(folder, 'requirements.txt');
  if (!run(pip, ['install', '--quiet', '--require-hashes', '--only-binary', ':all:', '-r', requirements])) {
    throw new Error('xllamacpp could not be installed; it is there for Linux on x86-64');
  }
  return {
    PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
    FERRY_TEST_LLAMA_SERVER: path.join(folder, 'xllamacpp-server.py'),
    FERRY_TEST_LLAMA_SERVER_ROUTER: 'none',
  };
}

const named = process.env['FERRY_TEST_LLAMA_SERVER'] ?? '';
const env = { ...process.env, ...(named === '' ? packagedServer() : {}) };
process.exitCode = run('npm', ['run', '--silent', 'jest', '--', 'test/engines/real-llama-server.spec.ts'], env) ? 0 : 1;
