/** A Python that can make virtual environments, for the specs of Python clients and for what `npm test` says of it. */
import { spawnSync } from 'node:child_process';

/** Debian's python3 without python3-venv has `venv`, but no `ensurepip`. */
const probe = `import sys, venv, ensurepip
sys.exit(1) if sys.version_info < (3, 11) else print(sys.version)`;

/** @returns {{ program: string, version: string } | undefined} absent when there is none that is new enough */
export function findPython() {
  const program = process.env['FERRY_TEST_PYTHON'] ?? 'python3';
  const { status, stdout } = spawnSync(program, ['-c', probe], { encoding: 'utf8' });
  return status === 0 ? { program, version: stdout.trim() } : undefined;
}
