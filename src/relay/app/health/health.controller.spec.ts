/** `/readyz` as a load balancer sees it: by its status, over HTTP, with a database that fails as Postgres does. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { DataSource, type EntitySubscriberInterface } from 'typeorm';
import { DatabaseReadiness } from '../../platform/database/database-readiness.js';
import { DrainRegistry } from '../../platform/lifecycle/drain-registry.js';
import { ReadinessRegistry, type Readiness } from '../../platform/lifecycle/readiness-registry.js';
import { HealthController } from './health.controller.js';

const log = { error: jest.fn(), log: jest.fn(), warn: jest.fn() };
const subscribers: EntitySubscriberInterface[] = [];
const query = jest.fn<() => Promise<unknown>>();
let fallbackWorks: boolean;
let app: INestApplication;

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [
    DatabaseReadiness,
    ReadinessRegistry,
    DrainRegistry,
    { provide: DataSource, useValue: { query, subscribers } },
  ],
})
class TestModule {}

beforeEach(async () => {
  jest.clearAllMocks();
  Logger.overrideLogger(log);
  subscribers.length = 0;
  query.mockReset().mockResolvedValue([]);
  fallbackWorks = false;
  app = await NestFactory.create(TestModule, { logger: false, abortOnError: false });
  app.get(ReadinessRegistry).registerFallback('database', () => fallbackWorks);
  await app.listen(0, '127.0.0.1');
  Logger.overrideLogger(log);
});

afterEach(async () => {
  await app.close();
});

const readyz = async (): Promise<[number, unknown]> => {
  const response = await fetch(`${await app.getUrl()}/readyz`);
  return [response.status, await response.json()];
};

/** What TypeORM tells of each query. */
const ran = (sql: string, error?: object): void => {
  for (const subscriber of subscribers) {
    void subscriber.afterQuery?.({ query: sql, success: error === undefined, error } as never);
  }
};
const diskFull = Object.assign(new Error('could not extend file "base/5/16396": No space left on device'), {
  code: '53100',
});

describe('/readyz', () => {
  it('stays ready while new requests are refused because of the load, and says so', async () => {
    let load: Readiness = { status: 'degraded', message: 'its event loop is 300 ms late' };
    app.get(ReadinessRegistry).register({ name: 'load', check: () => Promise.resolve(load) });
    expect(await readyz()).toMatchObject([200, { degraded: ['load'] }]);
    load = { status: 'up' };
    const [status, body] = await readyz();
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('degraded');
  });

  it('/readyz is ready, and lists only configured checks', async () => {
    const [status, body] = await readyz();
    expect([status, body]).toMatchObject([200, { status: 'ok', details: { database: { status: 'up' } } }]);
    expect(body).not.toHaveProperty('degraded');
  });

  it('/readyz is degraded without a database while requests are served, and 503 when they no longer are', async () => {
    query.mockRejectedValue(new Error('connect ECONNREFUSED 10.0.0.7:5432'));
    fallbackWorks = true;
    const [status, body] = await readyz();
    expect([status, body]).toMatchObject([
      200,
      {
        status: 'degraded',
        degraded: ['database'],
        details: { database: { status: 'degraded', message: 'the database does not answer' } },
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('10.0.0.7');
    fallbackWorks = false;
    expect(await readyz()).toMatchObject([503, { status: 'error', error: { database: { status: 'down' } } }]);
  });

  it('names a full disk, which is logged as an error, until writes succeed again', async () => {
    ran('INSERT INTO usage_hour VALUES (1)', diskFull);
    ran('INSERT INTO usage_hour VALUES (2)', diskFull);
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(log.error).toHaveBeenCalledWith(
      expect.stringContaining('insufficient_storage'),
      expect.objectContaining({ code: 'insufficient_storage', sqlstate: '53100' }),
      'Database',
    );
    const full = [
      200,
      {
        degraded: ['database'],
        details: { database: { message: expect.stringContaining('insufficient_storage') as unknown } },
      },
    ];
    expect(await readyz()).toMatchObject(full);
    // Into a page that exists: that is no sign of space.
    ran('UPDATE api_key SET last_used_at = now()');
    ran('SELECT 1');
    expect(await readyz()).toMatchObject(full);
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    ran('SELECT 1');
    expect(await readyz()).toMatchObject(full);
    ran('INSERT INTO usage_hour VALUES (3)');
    expect((await readyz())[0]).toBe(200);
    expect((await readyz())[1]).not.toHaveProperty('degraded');
    jest.restoreAllMocks();
  });

  it('/readyz does not mistake other query failures for a full disk', async () => {
    ran('INSERT INTO account VALUES (1)', Object.assign(new Error('duplicate key'), { code: '23505' }));
    ran('SELECT 1', Object.assign(new Error('sorry, too many clients already'), { code: '53300' }));
    expect((await readyz())[1]).not.toHaveProperty('degraded');
    expect(log.error).not.toHaveBeenCalled();
  });
});
