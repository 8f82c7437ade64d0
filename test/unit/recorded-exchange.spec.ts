import { homedir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { exchangeText, requestOf } from '../../scripts/recorded-exchange.mjs';

const asked = { method: 'POST', path: '/v1/chat/completions', body: '{"model":"tiny"}' };
const response = (body: string, headers: readonly (readonly [string, string])[] = []) => ({
  status: 200,
  statusText: 'OK',
  headers: [['Content-Type', 'application/json'] as const, ...headers],
  body,
});

describe('a recorded exchange', () => {
  it('a recorded exchange has the request, and the answer with its headers', () => {
    expect(exchangeText(asked, response('{}'), [])).toBe(
      '# POST /v1/chat/completions\n# body: {"model":"tiny"}\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}',
    );
  });

  it('a recorded exchange is asked again as it was', () => {
    expect(requestOf(exchangeText(asked, response('{}'), []))).toEqual(asked);
    const list = { method: 'GET', path: '/v1/models', body: '' };
    expect(requestOf(exchangeText(list, response('[]'), []))).toEqual(list);
  });

  it('a recorded exchange has no secrets, paths or ports of the computer', () => {
    const text = exchangeText(
      asked,
      response(
        JSON.stringify({
          model: `${homedir()}/models/tiny.gguf`,
          other: '/srv/checkout/x',
          key: 'sk-abcdefghijklmnop',
          url: 'http://127.0.0.1:43211/v1',
        }),
        [
          ['Set-Cookie', 'session=1'],
          ['Date', 'Fri, 27 Nov 2026 14:00:00 GMT'],
        ],
      ),
      ['/srv/checkout'],
    );
    expect(text).not.toMatch(/sk-abc|43211|Set-Cookie|Date:|checkout/);
    expect(text).not.toContain(homedir());
    expect(text).toContain('"model":"/path/models/tiny.gguf"');
  });
});
