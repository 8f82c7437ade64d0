/** What a person reads when a relay refuses a computer that asks with a code. Its responses are hostile until proven otherwise. */
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { joinByDeviceCode } from './join-by-device-code.js';

interface ReceivedResponse {
  readonly status: number;
  readonly body: object;
}

const CHUNK = ' '.repeat(65_536);
const SOME_MEGABYTES = 8 * 1_048_576;

const problem = (status: number, detail: string, code = 'overloaded'): ReceivedResponse => ({
  status,
  body: { type: 'about:blank', title: 'refused', status, code, detail },
});
const good: Readonly<Record<string, ReceivedResponse>> = {
  '/link/challenge': { status: 200, body: { nonce: 'nonce' } },
  '/link/device-code': {
    status: 200,
    body: { device_code: 'ferry-dev', user_code: 'BCDF-GHJK', expires_in: 600, interval: 5 },
  },
};

let server: Server;
/** Routes whose answer does not end, and what was sent of it. */
let endless: Set<string>;
let sentBytes: number;
let responses: Record<string, ReceivedResponse>;
let dataDirectory: string;

beforeEach(async () => {
  dataDirectory = await mkdtemp(path.join(os.tmpdir(), 'ferry-code-'));
  responses = { ...good };
  endless = new Set();
  sentBytes = 0;
  server = createServer((request, response) => {
    const { status, body } = responses[request.url ?? ''] ?? { status: 404, body: {} };
    request.resume().on('end', () => {
      response.writeHead(status);
      if (!endless.has(request.url ?? '')) response.end(JSON.stringify(body));
      else more();
    });
    const more = (): void => {
      if (response.destroyed) return;
      sentBytes += CHUNK.length;
      response.write(CHUNK, more);
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

const refusal = (): Promise<unknown> =>
  joinByDeviceCode({
    relayUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    name: 'desk',
    dataDirectory,
    show: () => undefined,
    delay: () => Promise.resolve(),
  }).catch((error: unknown) => error);

it.each([
  [
    'its challenge',
    '/link/challenge',
    problem(503, 'The database does not answer.'),
    'refused (503): The database does',
  ],
  [
    'a code',
    '/link/device-code',
    problem(400, 'The signature is wrong.'),
    'a device code (400): The signature is wrong.',
  ],
  [
    'a code, without a word',
    '/link/device-code',
    { status: 404, body: {} },
    'a device code (404): without an explanation',
  ],
  [
    'the code',
    '/link/device-code/token',
    problem(403, 'The account is full.'),
    'the relay refused (403): The account is',
  ],
  ['the code, without a word', '/link/device-code/token', { status: 403, body: {} }, '(403): without an explanation'],
])('a relay that refuses %s is quoted', async (_what, route, response, words) => {
  responses[route] = response;
  expect(await refusal()).toMatchObject({ reason: 'refused', message: expect.stringContaining(words) });
  expect(await readdir(dataDirectory)).toEqual([]);
});

it('a refusal is quoted without control characters, and at most 500 characters of it', async () => {
  responses['/link/device-code/token'] = problem(403, `\u001b]0;owned\u0007${'x'.repeat(10_000)}`);
  const { message } = (await refusal()) as Error;
  expect(message).toMatch(/^the relay refused \(403\): [^\p{Cc}]{400,520}$/u);
});

it.each(['/link/challenge', '/link/device-code', '/link/device-code/token'])(
  'does not read an answer of %s that has no end',
  async (route) => {
    endless.add(route);
    expect(await refusal()).toMatchObject({ message: expect.stringMatching(/^cannot reach|^the relay/) });
    expect(sentBytes).toBeLessThan(SOME_MEGABYTES);
  },
);
