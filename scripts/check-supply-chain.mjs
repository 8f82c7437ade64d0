/**
 * Checks the packages that users install: licences and checksums in both lock files, then known vulnerabilities (`npm audit`).
 * `--offline` leaves out the audit, which asks the registry. Exit code 0: nothing found; 1: a finding; 2: the audit could not be made.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { neededPlaces } from './lock-file.mjs';
import { findNpm, root, run, StepError } from './run.mjs';

/** Licences under which a package may be passed on together with Ferry. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

/** The relay, node and command line; and the built-in engine. */
const projects = ['.', 'engines/llamacpp', 'engines/llamacpp-cuda', 'engines/llamacpp-vulkan'];

/** @param {string | undefined} licence an SPDX expression: of alternatives one is enough */
export const isAllowed = (licence) =>
  licence !== undefined &&
  licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((one) => allowed.has(one));

/** Old packages name theirs in a list that npm does not copy into the lock file. */
function licenceOf(folder, location, { license }) {
  if (license !== undefined) return license;
  const manifest = JSON.parse(readFileSync(path.join(folder, location, 'package.json'), 'utf8'));
  return manifest.license ?? manifest.licenses?.map(({ type }) => type).join(' OR ');
}

/** @returns {{ packages: number, problems: string[] }} of the production packages in the lock file of `folder` */
export function checkLockFile(folder) {
  const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  // Folders of this repository are in it as well, without a version.
  const production = [...neededPlaces(lock, [''])]
    .map((location) => [location, lock.packages[location]])
    .filter(([, { version }]) => version !== undefined);
  const problems = production.flatMap(([location, entry]) => {
    const licence = licenceOf(folder, location, entry);
    return [
      ...(isAllowed(licence) ? [] : [`${location}: the licence ${licence ?? '(none)'} is not in the list`]),
      ...(entry.integrity === undefined ? [`${location}: no checksum`] : []),
    ];
  });
  return { packages: production.length, problems };
}

/** Prints what it finds. @returns {Promise<'clean' | 'found' | 'failed'>} */
async function audit(folder) {
  let report = '';
  const words = [findNpm(), 'audit', '--omit=dev', '--workspaces=false', '--json'];
  const failure = await run(words, { cwd: folder, name: 'npm audit', output: (text) => (report += text) }).catch(
    (error) => {
      if (!(error instanceof StepError)) throw error;
      return error;
    },
  );
  const vulnerabilities = vulnerabilitiesIn(report);
  if (vulnerabilities === undefined) return 'failed';
  for (const { name, severity, range } of vulnerabilities)
    process.stderr.write(`error: ${name} ${range}: ${severity}\n`);
  return failure === undefined ? 'clean' : 'found';
}

/** @returns undefined for a report of an error */
function vulnerabilitiesIn(report) {
  const start = report.indexOf('{');
  const end = report.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  try {
    const { vulnerabilities } = JSON.parse(report.slice(start, end + 1));
    return vulnerabilities === undefined ? undefined : Object.values(vulnerabilities);
  } catch {
    return undefined;
  }
}

async function main(offline) {
  let exitCode = 0;
  for (const project of projects) {
    const folder = path.join(root, project);
    const { packages, problems } = checkLockFile(folder);
    for (const problem of problems) process.stderr.write(`error: ${problem}\n`);
    if (problems.length > 0) exitCode = 1;
    const audited = offline ? 'not asked for' : await audit(folder);
    if (audited === 'found') exitCode = 1;
    if (audited === 'failed') {
      process.stderr.write('error: npm audit got no answer: is the registry reachable?\n');
      if (exitCode === 0) exitCode = 2;
    }
    process.stdout.write(
      `${project}: ${packages} packages, licences and checksums ${problems.length === 0 ? 'ok' : 'not ok'}, audit ${audited}\n`,
    );
  }
  process.exitCode = exitCode;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.includes('--offline'));
