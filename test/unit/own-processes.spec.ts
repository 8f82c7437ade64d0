/** A relay takes two seconds of processor time to start: spec files that only ask questions share one (shared-deployment.ts). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const folder = path.resolve(import.meta.dirname, '..');
const files = ['e2e', 'contract', 'python', 'browser', 'screens'].flatMap((suite) =>
  readdirSync(path.join(folder, suite))
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => `${suite}/${name}`),
);

describe('a spec file that starts processes', () => {
  it.each(files)('%s shares a relay, or says in its first line why it has its own', (file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    if (!/\b(share(Deployment|Relay|RelayWithEngine|FakeEngine)|testNoFalseSuccess)\(/.test(text))
      expect(text).toMatch(/^\/\/ Own (relays?|processes): \S/);
  });
});
