/** The official clients in Python, by major versions; each environment has a lock file. */
import path from 'node:path';
import { ClientProgram } from '../support/client/client-program.js';
import { findPython } from '../support/client/find-python.mjs';
import { keptBytecode, pythonEnvironment } from '../support/client/python-environment.mjs';
import type { RelayClient } from '../support/process/relay-client.js';

export const environments = ['openai-3-anthropic-2', 'openai-2-anthropic-1', 'openai-1-anthropic-0'] as const;
export type PythonEnvironment = (typeof environments)[number];

/** Of all environments, on a busy computer: 5 s each on a quiet one. */
export const INSTALL_WITHIN_MS = 300_000;

/** Starts `client.py`, in an environment that is installed when it is missing. */
export async function startProgram(environment: PythonEnvironment, relay: RelayClient): Promise<ClientProgram> {
  const python = findPython();
  if (python === undefined) throw new Error('there is no Python 3.11 with venv (apt-get install python3-venv)');
  const folder = import.meta.dirname;
  const interpreter = await pythonEnvironment(python, path.join(folder, `requirements-${environment}.txt`));
  return ClientProgram.start([interpreter, path.join(folder, 'client.py')], relay, { env: keptBytecode(interpreter) });
}
