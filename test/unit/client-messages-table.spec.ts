import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { renderTroubleshootingPage, troubleshootingPagePath } from '../../scripts/client-messages-table.js';

test('the troubleshooting page lists every message of clients; update it with `npm run docs:messages`', async () => {
  const page = await readFile(troubleshootingPagePath, 'utf8');
  expect(await renderTroubleshootingPage(page)).toBe(page);
});
