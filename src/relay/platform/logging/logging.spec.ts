import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { pino } from 'pino';
import type { AccountId, ApiKeyId } from '../../../kernel/ids.js';
import { Loopback } from '../../../../test/support/network/loopback.js';
import { httpServerOptions } from '../../../../test/support/relay/http-server-options.js';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { contextOf } from '../http/request-context.js';
import { createHttpServer } from '../http/server/create-http-server.js';
import { RelayLogger } from './relay-logger.js';
import { createRequestLog } from './request-log.js';

let lines: Record<string, unknown>[];
let loopback: Loopback | undefined;

const logger = (level: string) =>
  pino({ level, base: null }, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });

const requestLog = (level: string, settings = { logSuccessPercent: 100 }) =>
  createRequestLog(
    {
      logger: logger(level),
      laterLines: { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
    },
    settings,
  );

beforeEach(() => {
  lines = [];
});

afterEach(async () => {
  await loopback?.close();
  loopback = undefined;
});

describe('the log of the framework', () => {
  beforeEach(() => {
    Logger.overrideLogger(new RelayLogger(logger('info')));
  });

  it('becomes lines with a context', () => {
    new Logger('Keys').warn('something');
    expect(lines).toEqual([expect.objectContaining({ level: 40, context: 'Keys', msg: 'something' })]);
  });

  it('keeps the stack of an error', () => {
    new Logger('Keys').error(new Error('broken'));
    new Logger('Keys').error('broken', 'at somewhere');
    expect(lines[0]).toMatchObject({
      level: 50,
      msg: 'broken',
      stack: expect.stringContaining('logging.spec') as unknown,
    });
    expect(lines[1]).toMatchObject({ msg: 'broken', stack: 'at somewhere', context: 'Keys' });
  });

  it("omits the framework's start-up messages", () => {
    new Logger('RouterExplorer').log('Mapped {/v1/models, GET} route');
    new Logger('InstanceLoader').log('KeysModule dependencies initialized');
    expect(lines).toEqual([]);
  });
});

describe('the log of requests', () => {
  const canary = 'canary-9d1f';

  it('the log of requests has a line per request with the allowed fields and no client content', async () => {
    loopback = await Loopback.start(
      createHttpServer(
        (req, res) => {
          const context = contextOf(req);
          context.accountId = 'acc_1' as AccountId;
          context.apiKeyId = 'key_1' as ApiKeyId;
          context.outcome = 'completed';
          context.model = 'a "quoted"\nname';
          Object.assign(req, { route: { path: '/v1/chat/completions' } });
          res.writeHead(200).end(canary);
        },
        { ...httpServerOptions, onOver: requestLog('info') },
      ),
    );
    await (
      await fetch(`${loopback.url}/v1/${canary}?q=${canary}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${canary}`, 'user-agent': canary, cookie: canary },
        body: canary,
      })
    ).text();
    await eventually('it is logged', () => lines.length === 1);
    expect(Object.keys(lines[0]!).sort()).toEqual(
      [
        'account',
        'bytes',
        'duration_ms',
        'key',
        'level',
        'method',
        'model',
        'msg',
        'outcome',
        'req_id',
        'route',
        'status',
        'time',
      ].sort(),
    );
    expect(lines[0]).toMatchObject({
      method: 'POST',
      route: '/v1/chat/completions',
      status: 200,
      account: 'acc_1',
      key: 'key_1',
      model: 'a "quoted"\nname',
      outcome: 'completed',
    });
    expect(JSON.stringify(lines)).not.toContain(canary);
    expect(lines[0]!['bytes']).toBeGreaterThan(canary.length);
  });

  it('distinguishes refused uploads from disconnects', async () => {
    const log = requestLog('info');
    loopback = await Loopback.start(
      createHttpServer(
        (req, res) => {
          if (req.url === '/refused') res.writeHead(429).flushHeaders();
          setImmediate(() => res.destroy());
        },
        { ...httpServerOptions, onOver: log },
      ),
    );
    for (const path of ['refused', 'left']) {
      await fetch(`${loopback.url}/${path}`)
        .then((response) => response.text())
        .catch(() => undefined);
    }
    await eventually('both are logged', () => lines.length === 2);
    expect(lines).toMatchObject([
      { status: 429, outcome: 'rejected' },
      { status: null, outcome: 'cancelled' },
    ]);
  });

  it('omits probes, and is empty at a lower level', async () => {
    const log = requestLog('info');
    loopback = await Loopback.start(createHttpServer((_req, res) => res.end(), { ...httpServerOptions, onOver: log }));
    await (await fetch(`${loopback.url}/livez`)).text();
    await (await fetch(`${loopback.url}/readyz`)).text();
    await (await fetch(`${loopback.url}/other`)).text();
    await eventually('the other is logged', () => lines.length > 0);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ route: null });
  });

  it('the log of requests has a share of the successful requests, which may change, and every one that fails', async () => {
    const settings = { logSuccessPercent: 25 };
    loopback = await Loopback.start(
      createHttpServer((req, res) => res.writeHead(req.url === '/fails' ? 503 : 200).end(), {
        ...httpServerOptions,
        onOver: requestLog('info', settings),
      }),
    );
    const { url } = loopback;
    const ask = async (count: number, path: string): Promise<void> => {
      for (let at = 0; at < count; at += 1) await (await fetch(`${url}${path}`)).text();
    };
    const statuses = (): unknown[] => lines.map(({ status }) => status);
    await ask(8, '/works');
    await ask(3, '/fails');
    await eventually('the failures are logged', () => lines.length >= 5);
    expect(statuses()).toEqual([200, 200, 503, 503, 503]);
    settings.logSuccessPercent = 0;
    await ask(8, '/works');
    settings.logSuccessPercent = 100;
    await ask(2, '/works');
    await eventually('all are logged again', () => lines.length >= 7);
    expect(statuses().slice(5)).toEqual([200, 200]);
  });
});
