/** A body with hundreds of thousands of keys does not delay other requests. A limit in milliseconds: other programs would break it. */
import { describe, expect, it } from '@jest/globals';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';

const KEYS = 400_000;
const LONGEST_PAUSE_MS = 250;
const ROUNDS = 4;
const fields = { model: 'absent', messages: [{ role: 'user', content: 'hi' }] };
const flat = Object.fromEntries(Array.from({ length: KEYS }, (_none, index) => [`k${index}`, index]));
const chat = Array.from({ length: KEYS / 4 }, (_none, index) => ({ role: 'user', content: `${index}` }));

describe('while a body of many keys is read', () => {
  let relay: Tenant;

  shareRelay((shared) => (relay = shared));

  const post = (body: string): Promise<Response> =>
    fetch(`${relay.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${relay.apiKey}`, 'content-type': 'application/json' },
      body,
    });

  /** The longest wait of a probe until the request was answered. */
  const longestWait = async (body: string, status: number): Promise<number> => {
    let responded = false;
    let longest = 0;
    const response = post(body).then(async (response) => {
      responded = true;
      expect(response.status).toBe(status);
      return response.text();
    });
    while (!responded) {
      const from = performance.now();
      await (await fetch(`${relay.baseUrl}/livez`)).text();
      longest = Math.max(longest, performance.now() - from);
    }
    await response;
    return longest;
  };

  it.each([
    ['in a field that nobody knows', { ...fields, extra: flat }, 503],
    ['in messages', { ...fields, messages: chat }, 503],
    ['in a request that is refused', { ...fields, messages: [...chat, { role: 'nobody', content: '' }] }, 400],
  ])(
    '%s: the relay responds to others',
    async (_where, request, status) => {
      const body = JSON.stringify(request);
      let shortest = Infinity;
      // A pause of the machine affects one round; a delay caused by the relay affects all of them.
      for (let round = 0; round < ROUNDS && shortest >= LONGEST_PAUSE_MS; round += 1)
        shortest = Math.min(shortest, await longestWait(body, status));
      expect(shortest).toBeLessThan(LONGEST_PAUSE_MS);
    },
    60_000,
  );
});
