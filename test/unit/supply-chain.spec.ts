/** Rules for the packages that Ferry is made of and for what it ships. */
import { existsSync, readFileSync } from 'node:fs';
import { BlockList, isIPv4 } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { productionLock } from '../../scripts/shrinkwrap.mjs';

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

interface Lock {
  readonly packages: Readonly<Record<string, Entry>>;
}

const read = (file: string): string => readFileSync(path.resolve(file), 'utf8');
const WORKSPACES = ['console', 'scripts', 'test', 'older-clients'];
const FOLDERS = ['.', 'engines/llamacpp', 'engines/llamacpp-cuda', 'engines/llamacpp-vulkan'];
const lockOf = (folder: string): Lock => JSON.parse(read(path.join(folder, 'package-lock.json'))) as Lock;

/** Licences that allow what Apache-2.0 allows. A package with another one needs a decision. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'Python-2.0',
]);
/** Their package.json has the field of old npm versions; the licence is in their LICENSE file. */
const OLD_FIELD = ['node_modules/busboy', 'node_modules/streamsearch'];

describe('the packages', () => {
  it.each(['.', ...WORKSPACES])('the packages of %s are named in exact versions', (folder) => {
    const manifest = JSON.parse(read(path.join(folder, 'package.json'))) as Partial<
      Record<'dependencies' | 'devDependencies', Record<string, string>>
    >;
    const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.filter(([, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it.each(FOLDERS)('the packages of %s are locked by digest, from whichever registry', (folder) => {
    // The stub that stands for the GPU packages has no version.
    const entries = Object.entries(lockOf(folder).packages).filter(
      ([place, { link, version }]) => place.includes('node_modules/') && link !== true && version !== undefined,
    );
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toEqual([]);
    expect(entries.filter(([, { resolved = '' }]) => /^https?:/.test(resolved))).toEqual([]);
  });

  it.each(FOLDERS)('the packages of %s are installed without their scripts', (folder) => {
    expect(read(path.join(folder, '.npmrc'))).toMatch(/^ignore-scripts=true$/m);
  });

  it('the packages have licences that a product under Apache-2.0 can ship', () => {
    const { packages } = productionLock(lockOf('.')) as Lock;
    const entries = Object.entries(packages).filter(([place]) => place !== '');
    expect(entries.length).toBeGreaterThan(100);
    const others = entries.filter(([place, { license = '' }]) => !ALLOWED.has(license) && !OLD_FIELD.includes(place));
    expect(others.map(([place, { license }]) => `${place}: ${license}`)).toEqual([]);
    for (const place of OLD_FIELD) expect(read(path.join(place, 'LICENSE'))).toContain('Permission is hereby granted');
  });
});

describe('the lock file of the npm package', () => {
  const lock = {
    packages: {
      '': { workspaces: ['console'], dependencies: { ws: '1.0.0' }, devDependencies: { jest: '2.0.0' } },
      console: { dependencies: { react: '4.0.0' } },
      'node_modules/ferry-console': { resolved: 'console', link: true },
      'node_modules/react': { version: '4.0.0' },
      'node_modules/ws': { version: '1.0.0' },
      'node_modules/jest': { version: '2.0.0', dev: true },
      'node_modules/typescript': { version: '3.0.0', devOptional: true },
    },
  };

  it('the lock file of the npm package has production packages only', () => {
    expect(JSON.parse(JSON.stringify(productionLock(lock)))).toEqual({
      packages: { '': { dependencies: { ws: '1.0.0' } }, 'node_modules/ws': { version: '1.0.0' } },
    });
  });
});

describe('the container image', () => {
  const dockerfile = read('deploy/Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?:--\S+ )?(.+) \S+$/gm)].flatMap(([, words = '']) => words.split(' '));

  it('copies files that exist in the checkout, or that the build makes', () => {
    expect(copied.length).toBeGreaterThan(5);
    const sources = copied.map((source) => source.replace('/opt/ferry/', '')).filter((source) => source !== 'dist');
    expect(sources.filter((source) => !existsSync(path.resolve(source)))).toEqual([]);
  });

  it('the container image has all that the relay reads beside its code', () => {
    for (const name of ['package.json', 'openapi', 'bin', 'dist', 'public', 'node_modules'])
      expect(copied).toContain(`/opt/ferry/${name}`);
  });

  it('runs without root', () => {
    expect(dockerfile.lastIndexOf('\nUSER node\n')).toBeGreaterThan(dockerfile.lastIndexOf('\nRUN '));
  });

  it.each(['compose.yaml', 'compose.embedded.yaml', 'compose.postgres.yaml'])(
    'the container image is deployed by a well-formed %s',
    (name) => {
      const documents = parseAllDocuments(read(path.join('deploy', name)), { merge: true });
      expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    },
  );

  it('believes one address about its clients: that of nginx, which nothing else gets', () => {
    const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
      readonly services: Readonly<Record<string, Partial<Record<'environment' | 'networks', Record<string, unknown>>>>>;
      readonly networks: {
        readonly default: { readonly ipam: { readonly config: readonly Record<string, string>[] } };
      };
    };
    const { services, networks } = compose;
    const address = (services['nginx']?.networks?.['default'] as { readonly ipv4_address?: string }).ipv4_address ?? '';
    for (const relay of ['relay-1', 'relay-2', 'relay-3'])
      expect(services[relay]?.environment?.['FERRY_TRUSTED_PROXIES']).toBe(address);
    expect(isIPv4(address)).toBe(true);
    const rangeOf = (text = ''): BlockList => {
      const range = new BlockList();
      range.addSubnet(text.split('/')[0] ?? '', Number(text.split('/')[1]));
      return range;
    };
    const [config] = networks.default.ipam.config;
    expect(rangeOf(config?.['subnet']).check(address)).toBe(true);
    expect(rangeOf(config?.['ip_range']).check(address)).toBe(false);
  });

  it('lets nobody at the bus without the password that the relays have', () => {
    const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
      readonly services: Readonly<
        Record<string, { readonly environment?: Record<string, string>; readonly command?: readonly string[] }>
      >;
    };
    const password = '${NATS_PASSWORD:?set it in .env}';
    expect(services['nats']?.command).toEqual(['--user', 'ferry', '--pass', password]);
    for (const relay of ['relay-1', 'relay-2', 'relay-3'])
      expect(services[relay]?.environment?.['NATS_URL']).toBe(`nats://ferry:${password}@nats:4222`);
  });
});
