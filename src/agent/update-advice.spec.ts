import { describe, expect, it } from '@jest/globals';
import { isOlderVersion, updateLine } from './update-advice.js';

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
  ])('does not order %s before %s', (version, than) => {
    expect(isOlderVersion(version, than)).toBe(false);
  });
});

it('advises a checkout to rebuild', () => {
  expect(updateLine(new URL('https://relay.example'))).toContain('npm run build');
});
