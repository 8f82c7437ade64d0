import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { errorsPagePath, renderErrorsPage } from '../../scripts/errors-page.js';

describe('docs/reference/errors.md', () => {
  it('docs/reference/errors.md is up to date with the error catalogue (else run `npm run docs:errors`)', () => {
    expect(readFileSync(errorsPagePath, 'utf8')).toBe(renderErrorsPage());
  });
});
