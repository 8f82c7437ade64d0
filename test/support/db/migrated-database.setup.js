/**
 * Before the unit specs: an embedded database with all migrations, for every spec that needs one to start from (embedded-database.ts).
 * Making it takes seconds, loading it half of one; it is made once for these migrations. Plain JavaScript: Jest runs it untransformed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { timeFactor } from '../../runner/time-factor.js';

const root = path.resolve(import.meta.dirname, '../../..');
const sources = path.join(root, 'src/relay/platform/database');
const program = path.join(root, 'test/support/db/migrated-database.program.ts');
const LIMIT_MS = 120_000;

export default function setup() {
  const folder = path.join(root, '.test-artifacts', `migrated-database-${fingerprint()}`);
  // The workers inherit it.
  process.env.TEST_MIGRATED_DATABASE = folder;
  if (existsSync(folder)) return;
  // What it compiles is what the specs import.
  const loader = pathToFileURL(path.join(root, 'scripts/swc-loader.mjs')).href;
  const words = ['--import', loader, program, folder];
  execFileSync(process.execPath, words, {
    cwd: root,
    // Node takes whole numbers only.
    timeout: Math.ceil(LIMIT_MS * timeFactor),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Of all that decides what a migrated database contains. */
function fingerprint() {
  const ours = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.spec)\.(ts|js)$/.test(name),
  );
  const hash = createHash('sha256');
  for (const file of [
    ...ours.sort().map((name) => path.join(sources, name)),
    program,
    path.join(root, 'node_modules/@electric-sql/pglite/package.json'),
    path.join(root, 'node_modules/typeorm/package.json'),
  ]) {
    hash.update(`${path.relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}
