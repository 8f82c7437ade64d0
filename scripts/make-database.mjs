/**
 * `node scripts/make-database.mjs FOLDER`: makes a new embedded database with the compiled program in FOLDER and puts it there as an
 * archive, which a first start unpacks. It has the schema and no data. To make one takes five seconds, so it is kept until
 * what it is made of changes.
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { packFolder } from './pack-folder.mjs';
import { root } from './run.mjs';

const compiled = path.resolve(process.argv[2]);
const place = path.join(compiled, 'relay', 'platform', 'database');
const target = path.join(place, 'new-database.br');
const cache = path.join(root, 'node_modules', '.cache', 'ferry-database');

/** The schema, the program that applies it, and the versions of the packages that write the files. */
function ingredients() {
  const hash = createHash('sha256');
  const files = readdirSync(place, { recursive: true }).filter((name) => name.endsWith('.js'));
  for (const file of files.sort().map((name) => path.join(place, name))) hash.update(readFileSync(file));
  hash.update(readFileSync(path.join(import.meta.dirname, 'pack-folder.mjs')));
  const { resolve } = createRequire(path.join(root, 'package.json'));
  for (const name of ['@electric-sql/pglite', 'typeorm']) {
    const folder = resolve(name).slice(0, resolve(name).lastIndexOf(path.join('node_modules', name)));
    hash.update(readFileSync(path.join(folder, 'node_modules', name, 'package.json')));
  }
  return hash.digest('hex');
}

async function make(archive) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ferry-new-database-'));
  try {
    const { Logger } = await import('@nestjs/common');
    Logger.overrideLogger(false);
    const { openDatabase } = await import(pathToFileURL(path.join(place, 'open-database.js')).href);
    const dataDir = path.join(folder, 'pgdata');
    const limits = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000, poolSize: 1 };
    const { close } = await openDatabase({ embedded: { dataDir } }, limits);
    await close();
    writeFileSync(archive, packFolder(dataDir));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const kept = path.join(cache, `${ingredients()}.br`);
if (!existsSync(kept)) {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const unfinished = `${kept}.${process.pid}`;
  await make(unfinished);
  renameSync(unfinished, kept);
}
copyFileSync(kept, target);
