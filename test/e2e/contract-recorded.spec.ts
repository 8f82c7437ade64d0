// Own relay: an extension that is on for any account of a relay is a route, and other prompts change the cached tokens of these.
/** With no extension on, the public API is the contract, byte for byte as it was before there were extensions. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { answersTo, contractRequests, type ContractAnswer } from '../support/client/contract-exchanges.js';
import { deploy } from '../support/process/deploy.js';
import type { TestRelay } from '../support/process/test-relay.js';

const recording = path.resolve(import.meta.dirname, '../fixtures/contract/exchanges.json');

describe('the public API without extensions', () => {
  let relay: TestRelay;

  deploy({}, (started) => {
    ({ relay } = started);
  });

  it('answers every recorded request as it did before', async () => {
    const answers = await answersTo(relay.baseUrl, contractRequests({ key: relay.apiKey }));
    const known = JSON.parse(readFileSync(recording, 'utf8')) as Record<string, ContractAnswer>;
    expect(answers).toEqual(known);
    expect(Object.keys(known).length).toBeGreaterThan(70);
  }, 120_000);
});
