import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { clientsPagePath, renderClientsPage } from '../../scripts/clients-page.js';

describe('docs/guide/clients.md', () => {
  it('docs/guide/clients.md is up to date with the quickstart page (else run `npm run docs:clients`)', () => {
    expect(readFileSync(clientsPagePath, 'utf8')).toBe(renderClientsPage());
  });
});
