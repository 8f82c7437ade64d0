import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from '@jest/globals';
import { Loopback } from '../../../../test/support/network/loopback.js';
import type { AccountId } from '../../../kernel/ids.js';
import type { Principal } from '../../platform/access/principal.js';
import { eventually } from '../../../../test/support/clock/eventually.js';
import type { RelayConfig } from '../../platform/config/relay-config.js';
import { CatalogController } from './catalog.controller.js';
import { HubClient, quantizationOf } from './hub-client.js';

let hub: Loopback;
let response: (req: IncomingMessage, res: ServerResponse) => void;
let asked: string[];
let catalog: CatalogController;

const json = (body: unknown, status = 200) => {
  response = (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
};
/** The timeout is longer than any test, because a busy machine takes its time for a large response. */
const configOf = (hubUrl: string, hubTimeoutMs = 60_000): RelayConfig =>
  ({ version: '1.2.3', settings: { hubUrl, hubTimeoutMs } }) as unknown as RelayConfig;

beforeAll(async () => {
  hub = await Loopback.start(
    createServer((req, res) => {
      asked.push(req.url ?? '');
      response(req, res);
    }),
  );
  catalog = new CatalogController(new HubClient(configOf(hub.url)));
});
afterAll(() => hub.close());
beforeEach(() => {
  asked = [];
});

const caller = (accountId: string): Principal => ({ accountId: accountId as AccountId }) as Principal;
const mine = caller('acc_mine');
const search = (q = 'qwen3', who = mine) => catalog.search(who, { source: 'hf', q });

describe('the search', () => {
  it('requests repositories with GGUF files, and skips malformed entries', async () => {
    json([
      { id: 'Qwen/Qwen3-8B-GGUF', downloads: 5, likes: 2, gated: false, lastModified: '2026-01-02T03:04:05.000Z' },
      { id: '../../etc', downloads: 5 },
      { id: 'gated/one', gated: 'manual', downloads: 'many' },
      null,
    ]);
    expect((await search('qwen3 8b')).data).toEqual([
      { object: 'catalog_model', id: 'Qwen/Qwen3-8B-GGUF', downloads: 5, likes: 2, gated: false, updated: 1767323045 },
      { object: 'catalog_model', id: 'gated/one', downloads: 0, likes: 0, gated: true, updated: null },
    ]);
    const url = new URL(asked[0] ?? '', 'http://hub');
    expect([url.pathname, url.searchParams.get('search'), url.searchParams.get('filter')]).toEqual([
      '/api/models',
      'qwen3 8b',
      'gguf',
    ]);
  });
});

describe('a repository', () => {
  it('a repository has its complete GGUF files with quantization, size and install source', async () => {
    json({
      id: 'Qwen/Qwen3-8B-GGUF',
      gated: false,
      gguf: { context_length: 40_960, architecture: 'qwen3' },
      siblings: [
        { rfilename: 'README.md', size: 1 },
        { rfilename: 'mmproj-F16.gguf', size: 2 },
        { rfilename: 'Qwen3-8B-Q8_0.gguf', size: 900 },
        { rfilename: 'Q4/Qwen3-8B-Q4_K_M.gguf', size: 500 },
        { rfilename: 'Qwen3-8B-F16-00001-of-00002.gguf', size: 1_000 },
      ],
    });
    const repository = await catalog.repository(mine, 'Qwen', 'Qwen3-8B-GGUF');
    expect(asked).toEqual(['/api/models/Qwen/Qwen3-8B-GGUF?blobs=true']);
    expect(repository).toMatchObject({ gated: false, context_length: 40_960, architecture: 'qwen3' });
    expect(repository.files).toEqual([
      {
        path: 'Q4/Qwen3-8B-Q4_K_M.gguf',
        source: 'hf:Qwen/Qwen3-8B-GGUF/Q4/Qwen3-8B-Q4_K_M.gguf',
        quantization: 'Q4_K_M',
        size_bytes: 500,
      },
      {
        path: 'Qwen3-8B-Q8_0.gguf',
        source: 'hf:Qwen/Qwen3-8B-GGUF/Qwen3-8B-Q8_0.gguf',
        quantization: 'Q8_0',
        size_bytes: 900,
      },
      { path: 'Qwen3-8B-F16-00001-of-00002.gguf', source: null, quantization: 'F16', size_bytes: 1_000 },
    ]);
  });

  it.each([
    ['../..', 'x'],
    ['a', 'b/../../c'],
    ['.hidden', 'x'],
    ['a', 'b?c=d'],
  ])('a repository is not requested under the name %j %j', async (owner, name) => {
    await expect(catalog.repository(mine, owner, name)).rejects.toMatchObject({ code: 'not_found' });
    expect(asked).toEqual([]);
  });

  it.each([401, 404])('a repository that answers with %i does not exist or is not public', async (status) => {
    json({ error: 'Invalid username or password.' }, status);
    await expect(catalog.repository(mine, 'no', 'where')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a catalogue that fails', () => {
  const failing = { code: 'catalog_unavailable' };

  it('a catalogue that fails is reported with its status', async () => {
    json({}, 502);
    await expect(search()).rejects.toMatchObject({ ...failing, message: expect.stringContaining('502') });
  });

  it('leads nowhere else', async () => {
    response = (req, res) => {
      if (req.url?.startsWith('/elsewhere') === true) res.end('[]');
      else res.writeHead(307, { location: '/elsewhere' }).end();
    };
    await expect(search()).rejects.toMatchObject({ ...failing, message: expect.stringContaining('307') });
    expect(asked).toHaveLength(1);
  });

  it('a slow catalogue is queried for every account, however much one of them queries', async () => {
    const responses: ServerResponse[] = [];
    response = (_req, res) => responses.push(res);
    const pending = [search(), search(), search()];
    await eventually('the questions of one account', () => responses.length === 3);
    await expect(search()).rejects.toMatchObject({
      ...failing,
      message: 'The catalogue has 3 pending requests of this account.',
      retryAfterSeconds: 2,
    });
    pending.push(search('qwen3', caller('acc_theirs')));
    await eventually('the question of another one', () => responses.length === 4);
    for (const response of responses) response.end('[]');
    await Promise.all(pending);
    json([]);
    await expect(search()).resolves.toMatchObject({ data: [] });
  });

  it('a catalogue that fails is aborted at the timeout', async () => {
    response = () => undefined;
    const impatient = new CatalogController(new HubClient(configOf(hub.url, 100)));
    await expect(impatient.search(mine, { source: 'hf', q: 'qwen3' })).rejects.toMatchObject({
      ...failing,
      message: expect.stringContaining('100 ms'),
    });
  });

  it('a catalogue that fails is refused when its response is malformed or too large', async () => {
    json({ models: [] });
    await expect(search()).rejects.toMatchObject(failing);
    response = (_req, res) => res.end('<html>');
    await expect(search()).rejects.toMatchObject(failing);
    response = (_req, res) => {
      const more = (): void => {
        if (!res.destroyed) res.write(Buffer.alloc(1024 * 1024, ' '), more);
      };
      more();
    };
    await expect(search()).rejects.toMatchObject({ ...failing, message: expect.stringContaining('more than') });
  });

  it('a catalogue that fails is reported when it cannot be reached', async () => {
    const nowhere = new CatalogController(new HubClient(configOf('http://127.0.0.1:1')));
    await expect(nowhere.search(mine, { source: 'hf', q: 'x' })).rejects.toMatchObject({
      ...failing,
      message: 'The catalogue cannot be reached.',
    });
  });
});

test.each([
  ['Qwen3-8B-Q4_K_M.gguf', 'Q4_K_M'],
  ['a/b/llama-2-7b.Q5_0.gguf', 'Q5_0'],
  ['gemma-3-4b-it-IQ2_XXS.gguf', 'IQ2_XXS'],
  ['Qwen3-8B-UD-Q4_K_XL.gguf', 'UD-Q4_K_XL'],
  ['model-f16.gguf', 'F16'],
  ['gpt-oss-20b-mxfp4.gguf', 'MXFP4'],
  ['big-BF16-00001-of-00003.gguf', 'BF16'],
  ['tiny.gguf', null],
])('%s has the quantization %s', (name, quantization) => {
  expect(quantizationOf(name)).toBe(quantization);
});
