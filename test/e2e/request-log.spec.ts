/** The log line of a request counts the bytes of complete responses like those of streams. */
import http from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { shareDeployment } from '../support/process/shared-deployment.js';
import type { TestRelay } from '../support/process/test-relay.js';

interface Line {
  readonly req_id?: string;
  readonly bytes?: number;
}

describe('the log line of a request', () => {
  let relay: TestRelay;

  shareDeployment((started) => {
    ({ relay } = started);
  });

  function send(agent: http.Agent, route: string, body?: object): Promise<{ id: string; bytes: number }> {
    return new Promise((resolve, reject) => {
      const request = http.request(`${relay.baseUrl}${route}`, {
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${relay.apiKey}`, 'content-type': 'application/json' },
      });
      request.on('error', reject).on('response', (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => (bytes += chunk.length));
        response.on('end', () => {
          resolve({ id: String(response.headers['x-request-id']), bytes });
        });
      });
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  const lineOf = (id: string): Promise<Line> =>
    eventually('the line is logged', () =>
      relay.process.stderr
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Line)
        .find(({ req_id, bytes }) => req_id === id && bytes !== undefined),
    );

  const messages = [{ role: 'user', content: 'Hello' }];

  it.each([
    ['on a kept connection', true],
    ['on a connection of its own', false],
  ])('counts whole answers %s', async (_name, keepAlive) => {
    const agent = new http.Agent({ keepAlive, maxSockets: 1 });
    const responses = [
      await send(agent, '/v1/models'),
      await send(agent, '/v1/chat/completions', { model: 'tiny', messages }),
      await send(agent, '/v1/messages', { model: 'tiny', max_tokens: 20, messages }),
      await send(agent, '/v1/responses', { model: 'tiny', input: 'Hello' }),
      await send(agent, '/v1/chat/completions', { model: 'unknown', messages }),
    ];
    agent.destroy();
    for (const { id, bytes } of responses) {
      const line = await lineOf(id);
      expect(bytes).toBeGreaterThan(50);
      expect(line.bytes).toBeGreaterThanOrEqual(bytes);
      // Status line and headers, and nothing of another request.
      expect(line.bytes).toBeLessThan(bytes + 2_000);
    }
  });
});
