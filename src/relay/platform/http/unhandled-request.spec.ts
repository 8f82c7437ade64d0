/** What the direct way does with a handler that fails after its exception filter: Nest leaves that to whoever called it. */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { httpServerOptions } from '../../../../test/support/relay/http-server-options.js';
import { Loopback } from '../../../../test/support/network/loopback.js';
import { RelayHttpAdapter } from './relay-http-adapter.js';

let loopback: Loopback;
const note = jest.fn();

const serve = async (handler: (req: unknown, res: ServerResponse) => Promise<void>): Promise<void> => {
  const adapter = new RelayHttpAdapter(httpServerOptions, { note });
  adapter.post('/v1/messages', handler);
  adapter.initHttpServer();
  loopback = await Loopback.start(adapter.getHttpServer());
};

afterEach(async () => {
  note.mockReset();
  await loopback.close();
});

describe('a handler that rejects', () => {
  it('fails only its request, in the format of its route, and is logged with the request id', async () => {
    const error = new Error('a filter that failed');
    await serve(() => Promise.reject(error));
    for (let round = 1; round <= 2; round += 1) {
      const response = await fetch(`${loopback.url}/v1/messages`, { method: 'POST', body: '{}' });
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'api_error' } });
      expect(note).toHaveBeenLastCalledWith('request', error, response.headers.get('x-request-id'));
      expect(note).toHaveBeenCalledTimes(round);
    }
  });

  it('truncates a started answer', async () => {
    await serve((_req, res) => {
      res.writeHead(200).write('half');
      return Promise.reject(new Error('in the middle'));
    });
    const response = await fetch(`${loopback.url}/v1/messages`, { method: 'POST', body: '{}' });
    await expect(response.text()).rejects.toThrow();
    expect(note).toHaveBeenCalledTimes(1);
  });
});
