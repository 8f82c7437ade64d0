import { describe, expect, it } from '@jest/globals';
import { eventStreamSuite } from '../../../../test/support/relay/event-stream.harness.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';

const suite = eventStreamSuite();
const { ask, wait } = suite;

describe('the silence', () => {
  it('the silence of a request that only waits commits no head, so that a failure keeps its status', async () => {
    suite.result.waiting = true;
    const reader = await ask();
    wait(35_000);
    expect(suite.response?.headersSent).toBe(false);
    suite.result.fail(new FerryError('capacity'));
    await reader.until('capacity');
    expect(reader.status).toBe(429);
  });

  it('commits the head once a node has taken a request that has waited', async () => {
    suite.result.waiting = true;
    const reader = await ask();
    wait(15_000);
    suite.result.waiting = false;
    wait(11_000);
    await reader.until(': keep-alive');
    expect(reader.status).toBe(200);
    suite.result.finish();
    await reader.until('0\r\n\r\n');
  });
});
