/**
 * `npm run test:engines`: the suite of real engines, with the programs of two Python packages, which are installed into node_modules/.cache by
 * their hashes, and with those that environment variables name. `npm run test:engines -- NAME …` runs these only.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPython } from '../test/support/client/find-python.mjs';
import { pythonEnvironment } from '../test/support/client/python-environment.mjs';
import { root, StepError } from './run.mjs';

const folder = path.join(root, 'test/real-engines');

/**
 * @typedef {object} RealEngine
 * @property {string} name of its spec file
 * @property {string} variable names its program or its address
 * @property {(bin: string) => Record<string, string>} [packaged] the environment with the programs of its lock file, `programs/NAME.txt`
 * @property {readonly string[]} [needs] other engines, whose programs it uses
 * @property {string} [from] how to get the program
 */

/** @type {readonly RealEngine[]} */
const engines = [
  {
    name: 'llama-server',
    variable: 'FERRY_TEST_LLAMA_SERVER',
    packaged: (bin) => ({
      // The program is a script, which is to be run by this Python.
      PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
      FERRY_TEST_LLAMA_SERVER: path.join(folder, 'programs/xllamacpp-server.py'),
      FERRY_TEST_LLAMA_SERVER_ROUTER: 'none',
    }),
  },
  {
    name: 'mlx-lm',
    variable: 'FERRY_TEST_MLX_LM',
    packaged: (bin) => ({ FERRY_TEST_MLX_LM: path.join(bin, 'mlx_lm.server') }),
  },
  {
    name: 'litellm',
    variable: 'FERRY_TEST_LITELLM',
    needs: ['llama-server'],
    from: "pip install 'litellm[proxy]'",
  },
  { name: 'llama-swap', variable: 'FERRY_TEST_LLAMA_SWAP', needs: ['llama-server'], from: 'its releases' },
  { name: 'ollama', variable: 'FERRY_TEST_OLLAMA', from: 'its releases' },
  { name: 'transformers', variable: 'FERRY_TEST_TRANSFORMERS', from: "pip install 'transformers[serving]' torch" },
  { name: 'vllm', variable: 'FERRY_TEST_VLLM', from: "vLLM's wheel for processors, 5 GB" },
  { name: 'any-engine', variable: 'FERRY_TEST_ENGINE', from: 'an address' },
];

const isNamed = ({ variable }) => (process.env[variable] ?? '') !== '';

/** Engines that are not run for want of a program. */
export const withoutPrograms = () =>
  engines
    .filter((engine) => engine.packaged === undefined && !isNamed(engine))
    .map(({ name, variable, from }) => `${name} (${variable}: ${from})`)
    .join(', ');

/** @returns the folder of the programs @param {string} name of a lock file */
async function installed(name) {
  const python = findPython();
  if (python === undefined) throw new StepError('Python 3.11 with venv is needed (Debian: python3-venv)');
  const requirements = path.join(folder, 'programs', `${name}.txt`);
  const interpreter = await pythonEnvironment(python, requirements).catch(({ stderr, message }) => {
    throw new StepError(
      `the programs of ${name} could not be installed (they are there for Linux on x86-64):\n${stderr || message}`,
    );
  });
  return path.dirname(interpreter);
}

/**
 * Installs what is missing and puts the programs into the environment of this process.
 * @param {readonly string[]} [names] absent: all that can be run here
 * @returns {Promise<readonly string[]>} the spec files
 */
export async function prepareEngines(names = []) {
  const unknown = names.find((name) => !engines.some((engine) => engine.name === name));
  if (unknown !== undefined)
    throw new StepError(`there is no engine "${unknown}": ${engines.map(({ name }) => name).join(', ')}`);
  const wanted = engines.filter((engine) =>
    names.length > 0 ? names.includes(engine.name) : engine.packaged !== undefined || isNamed(engine),
  );
  const used = new Set(wanted.flatMap(({ name, needs = [] }) => [name, ...needs]));
  for (const engine of engines.filter(({ name }) => used.has(name))) {
    if (isNamed(engine)) continue;
    if (engine.packaged === undefined) throw new StepError(`${engine.variable} names ${engine.name} (${engine.from})`);
    Object.assign(process.env, engine.packaged(await installed(engine.name)));
  }
  return wanted.map(({ name }) => `test/real-engines/${name}.spec.ts`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const names = process.argv.slice(2);
    const files = await prepareEngines(names);
    if (names.length === 0) process.stderr.write(`NOT RUN: ${withoutPrograms()}\n`);
    const words = ['run', '--silent', 'jest', '--', ...files, '--selectProjects', 'engines', '--maxWorkers=2'];
    process.exitCode = spawnSync('npm', words, { stdio: 'inherit' }).status ?? 1;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    process.stdout.write(`error: ${error.message}\n\n0 passed, 1 failed\n`);
    process.exitCode = 1;
  }
}
