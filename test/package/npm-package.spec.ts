/** The npm package in a fresh prefix and home, without the checkout: `ferry up`, `serve` and `node`, and what they cost. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import type { FerryProcess } from '../support/process/ferry-process.js';
import { InstalledPackage, megabytes } from '../support/process/installed-package.js';

interface Started {
  readonly base_url: string;
  readonly api_key: string;
  readonly cli_token: string;
}

/** 115 MB come from the registry in that time. */
const ENGINE_WITHIN_MS = 300_000;
const READY_WITHIN_MS = 60_000;

let installed: InstalledPackage;
const running: FerryProcess[] = [];
beforeAll(async () => {
  installed = await InstalledPackage.install();
}, 600_000);
afterAll(async () => {
  for (const process of running.reverse()) await process.stop();
  await installed.remove();
}, 120_000);

const started = (process: FerryProcess): FerryProcess => {
  running.push(process);
  return process;
};

const count = ({ base_url: base, api_key: key }: Pick<Started, 'base_url' | 'api_key'>): Promise<Response> =>
  fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'tiny',
      stream: true,
      temperature: 0,
      messages: [{ role: 'user', content: 'Count to 8' }],
    }),
  });

/** @returns the text of a stream that ended as it should */
async function streamedText(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  expect(lines.at(-1)).toBe('data: [DONE]');
  const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)) as StreamedChunk);
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
}

interface StreamedChunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}

it('the package is released with a list of its packages and with checksums', async () => {
  const files = (await readdir(installed.release)).sort();
  expect(files).toEqual(['SHA256SUMS', 'ferry-0.1.0.cdx.json', 'ferry-0.1.0.tgz']);
  const sums = await readFile(path.join(installed.release, 'SHA256SUMS'), 'utf8');
  for (const name of files.slice(1)) {
    const bytes = await readFile(path.join(installed.release, name));
    expect(sums).toContain(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
  }
  const list = JSON.parse(await readFile(path.join(installed.release, files[1] ?? ''), 'utf8')) as Sbom;
  expect(list).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'ferry', version: '0.1.0' } } });
  const shrinkwrap = await readFile(path.join(installed.directory, 'npm-shrinkwrap.json'), 'utf8');
  const { packages } = JSON.parse(shrinkwrap) as Lock;
  const installedNames = Object.keys(packages).map((place) => place.slice(place.lastIndexOf('node_modules/') + 13));
  const listed = list.components.map(({ name }) => name);
  expect([...new Set(listed)].sort()).toEqual([...new Set(installedNames)].filter((name) => name !== '').sort());
});

interface Sbom {
  readonly components: readonly { readonly name: string }[];
}

it('contains production packages only, in the versions of the lock file', async () => {
  const packages = path.join(installed.directory, 'node_modules');
  const names = await readdir(packages);
  expect(names).toEqual(expect.arrayContaining(['typeorm', 'ws']));
  expect(names.filter((name) => /^(typescript|jest|vite|oxlint|react|playwright-core)$/.test(name))).toEqual([]);
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock;
  const present = JSON.parse(await readFile(path.join(packages, '../npm-shrinkwrap.json'), 'utf8')) as Lock;
  for (const [place, { version }] of Object.entries(present.packages)) {
    expect([place, version]).toEqual([place, lock.packages[place]?.version]);
  }
});

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

it('answers after `ferry up` in a fresh home', async () => {
  const startedAtMs = performance.now();
  const up = started(installed.start(['up', '--json', '--port', '0']));
  const ready = await eventually(
    'ferry up prints its JSON line, or ends',
    () => {
      if (!up.running) return null;
      return up.stdout.includes('\n') && (JSON.parse(up.stdout) as Started);
    },
    ENGINE_WITHIN_MS,
  );
  if (ready === null) throw new Error(`ferry up ended: ${up.ending}`);
  const firstStartSeconds = (performance.now() - startedAtMs) / 1_000;
  expect(await streamedText(await count(ready))).toContain('1, 2, 3, 4, 5, 6, 7, 8');
  // The website is part of it.
  expect((await fetch(`${ready.base_url}/console/`)).status).toBe(200);
  await printCosts(firstStartSeconds);
  expect(await up.stop('SIGINT')).toBe(0);
}, 360_000);

async function printCosts(firstStartSeconds: number): Promise<void> {
  const engine = path.join(installed.home, '.local/share/ferry/engine');
  const [tarball, program, engineSize] = await Promise.all(
    [installed.tarball, installed.directory, engine].map(megabytes),
  );
  const line = [
    `tarball ${tarball?.toFixed(1)} MB`,
    `installed ${program?.toFixed(0)} MB in ${installed.installSeconds.toFixed(0)} s`,
    `first ferry up ${firstStartSeconds.toFixed(0)} s, with the built-in engine (${engineSize?.toFixed(0)} MB)`,
  ].join('; ');
  process.stdout.write(`${line}\n`);
}

it('serves as `ferry serve` with a node of `ferry node`', async () => {
  const directory = path.join(installed.home, 'serve');
  const file = path.join(directory, 'credentials.json');
  const serveEnv = { FERRY_DATA_DIR: directory, FERRY_PORT: '0', FERRY_BOOTSTRAP_CREDENTIALS_FILE: file };
  const relay = started(installed.start(['serve'], serveEnv));
  const credentials = await eventually(
    'the relay is ready',
    async () => {
      if (!relay.running) throw new Error(`the relay ended: ${relay.ending}`);
      const known = JSON.parse(await readFile(file, 'utf8')) as Started;
      return (await fetch(`${known.base_url}/readyz`)).ok && known;
    },
    READY_WITHIN_MS,
  );
  const result = await fetch(`${credentials.base_url}/api/join-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credentials.cli_token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const { join_token: token } = (await result.json()) as { join_token: string };
  // The same data directory as `ferry up`: it has the engine.
  const nodeEnv = { FERRY_CONFIG_DIR: path.join(installed.home, 'node-config') };
  const words = ['node', 'join', token, '--relay', credentials.base_url, '--force'];
  expect(await installed.run(words, nodeEnv)).toMatchObject({ code: 0 });
  started(installed.start(['node', 'run'], nodeEnv));
  const response = await eventually(
    'the model answers',
    async () => {
      const tried = await count(credentials);
      return tried.status === 200 && tried;
    },
    READY_WITHIN_MS,
  );
  expect(await streamedText(response)).toContain('1, 2, 3, 4, 5, 6, 7, 8');
}, 180_000);
