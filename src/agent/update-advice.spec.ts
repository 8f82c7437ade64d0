import { describe, expect, it } from '@jest/globals';
import { installLine, isOlderVersion, updateLine } from './update-advice.js';

describe('version comparison', () => {
  it.each([
    ['0.1.0', '0.2.0'],
    ['0.9.0', '0.10.0'],
    ['1.2.3', '1.2.4'],
    ['1.9.9', '2.0.0'],
    ['2.0.0-rc.1', '2.0.0'],
    ['1.0.0', '1.0.1-rc.1+build.7'],
  ])('orders %s before %s', (older, newer) => {
    expect(isOlderVersion(older, newer)).toBe(true);
    expect(isOlderVersion(newer, older)).toBe(false);
  });

  it.each([
    ['1.0.0', '1.0.0'],
    ['1.0.0', '1.0.0+build.2'],
    ['1.0.0', 'test'],
    ['dev', '1.0.0'],
    ['1.0.0', '99999999999999.0.0'],
    ['1.0', '2.0'],
  ])('version comparison does not order %s before %s', (version, than) => {
    expect(isOlderVersion(version, than)).toBe(false);
  });
});

describe('the line that updates the one-file agent', () => {
  it.each([
    ['https://relay.example', 'linux', "curl -fsSL 'https://relay.example/install.sh' | sh"],
    ['http://127.0.0.1:8787', 'darwin', "curl -fsSL 'http://127.0.0.1:8787/install.sh' | sh"],
    ['http://10.0.0.7:8787', 'linux', "curl -fsSL 'http://10.0.0.7:8787/install.sh' | sh -s -- --force-insecure"],
    ['https://relay.example', 'win32', "irm 'https://relay.example/install.ps1' | iex"],
    [
      'http://10.0.0.7:8787',
      'win32',
      "& ([scriptblock]::Create((irm 'http://10.0.0.7:8787/install.ps1'))) -ForceInsecure",
    ],
  ] as const)('for %s on %s: %s', (relay, platform, line) => {
    expect(installLine(new URL(relay), platform)).toBe(line);
  });
});

it('advises a checkout to rebuild', () => {
  expect(updateLine(new URL('https://relay.example'))).toContain('npm run build');
});
