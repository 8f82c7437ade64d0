import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { configDirectory, dataDirectory } from './data-directory.js';

describe.each([
  ['data', 'FERRY_DATA_DIR', dataDirectory],
  ['configuration', 'FERRY_CONFIG_DIR', configDirectory],
])('the %s directory', (_kind, variable, directoryIn) => {
  it(`the data directory is ${variable} as an absolute path`, () => {
    expect(directoryIn({ [variable]: 'some/place' })).toBe(path.resolve('some/place'));
  });

  it('the data directory is that of the system where the variable is empty or missing', () => {
    expect(directoryIn({ [variable]: '' })).toBe(directoryIn({}));
    expect(directoryIn({})).toMatch(/ferry$/i);
    expect(directoryIn({})).not.toBe(process.cwd());
  });
});
