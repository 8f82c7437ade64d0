/** The layers of `layers.mjs` are enforced by `npm run check:cycles` (docs/reference/data.md#layers): a forbidden import is an error. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../support/process/ferry-process.js';
import { timeFactor } from '../runner/time-factor.js';

const refused = [
  ['the kernel importing the link', 'src/kernel/clock.ts', 'src/link/transport.ts'],
  ['the link importing the agent', 'src/link/transport.ts', 'src/agent/engine.ts'],
  ['the agent importing the relay', 'src/agent/main.ts', 'src/relay/app/main.ts'],
  ['the relay importing the agent', 'src/relay/app/main.ts', 'src/agent/main.ts'],
  ['the platform importing a feature', 'src/relay/platform/config/settings.ts', 'src/relay/keys/keys.module.ts'],
  ['the accounts importing the clusters', 'src/relay/accounts/module.ts', 'src/relay/clusters/module.ts'],
  ['the inventory importing routing', 'src/relay/inventory/module.ts', 'src/relay/routing/module.ts'],
  ['a layer importing a test', 'src/kernel/ids.ts', 'test/support/ids.ts'],
  ['the API of the website importing a component', 'console/src/api/client.ts', 'console/src/components/table.tsx'],
  ['a component importing the layout', 'console/src/components/table.tsx', 'console/src/layout/page.tsx'],
  ['the layout importing a feature', 'console/src/layout/page.tsx', 'console/src/features/keys/keys.tsx'],
  ['a feature importing another', 'console/src/features/keys/keys.tsx', 'console/src/features/nodes/nodes.tsx'],
] as const;

const allowed = [
  ['a lower layer', 'src/link/transport.ts', 'src/kernel/clock.ts'],
  ['the own layer', 'src/relay/keys/keys.module.ts', 'src/relay/keys/store/keys.store.ts'],
  ['anything in a spec', 'src/kernel/clock.spec.ts', 'src/relay/app/main.ts'],
  ['components in a feature', 'console/src/features/keys/keys.tsx', 'console/src/components/table.tsx'],
  ['features above all of them', 'console/src/router.tsx', 'console/src/features/keys/keys.tsx'],
] as const;

let folder: string;
let errors: string;

const write = (file: string, line: string): void => {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  appendFileSync(path.join(folder, file), `${line}\n`);
};

/** A type import, which leaves no trace in the compiled code: a layer must not know the types above it either. */
const importLine = (from: string, to: string): string => {
  const relative = path.posix
    .relative(path.posix.dirname(from), to)
    .replace(/\.tsx?$/, from.startsWith('src/') ? '.js' : '');
  return `export type * from '${relative.startsWith('.') ? relative : `./${relative}`}';`;
};

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ferry-layers-'));
  for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json']) {
    copyFileSync(path.join(repositoryRoot, file), path.join(folder, file));
  }
  for (const [, from, to] of [...refused, ...allowed]) {
    write(to, 'export {};');
    write(from, importLine(from, to));
  }
  write('src/elsewhere.ts', 'export {};');
  ({ stderr: errors } = spawnSync(process.execPath, [path.join(repositoryRoot, 'scripts/check-cycles.mjs')], {
    cwd: folder,
    encoding: 'utf8',
    timeout: Math.ceil(50_000 * timeFactor),
  }));
}, 60_000);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('layers', () => {
  it.each(refused)('refuses %s', (_name, from, to) => {
    expect(errors).toContain(`error: layers: ${from} → ${to}\n`);
  });

  it.each(allowed)('allows %s', (_name, from, to) => {
    expect(errors).not.toContain(`error: layers: ${from} → ${to}\n`);
  });

  it('refuses a file outside of every layer', () => {
    expect(errors).toContain('error: layers: src/elsewhere.ts is in no layer\n');
  });
});
