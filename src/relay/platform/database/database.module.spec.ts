import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger, Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FakePostgres } from '../../../../test/support/db/fake-postgres.js';
import { CutProxy } from '../../../../test/support/network/cut-proxy.js';
import { RELAY_CONFIG } from '../config/relay-config.js';
import { DatabaseModule } from './database.module.js';
import { servingOptions } from './database-options.js';

Logger.overrideLogger(false);

const CONNECT_TIMEOUT_MS = 400;

let server: FakePostgres;
let network: CutProxy;
let application: INestApplicationContext | undefined;

beforeEach(async () => {
  server = await FakePostgres.start();
  network = await CutProxy.start(server.port);
});

afterEach(async () => {
  await application?.close();
  application = undefined;
  await network.stop();
  await server.stop();
});

@Module({})
class Configuration {}

@Module({})
class Root {}

const start = async (): Promise<void> => {
  const target = { url: `postgres://ferry@127.0.0.1:${network.port}/fake`, extra: {}, poolSize: 1 };
  const limits = { queryTimeoutMs: 1_000, connectTimeoutMs: CONNECT_TIMEOUT_MS, poolSize: 1 };
  const options = { ...servingOptions(target, limits), migrations: [] };
  const configuration: DynamicModule = {
    module: Configuration,
    global: true,
    providers: [{ provide: RELAY_CONFIG, useValue: { settings: { databaseUrl: target.url, embeddedLogBytes: 0 } } }],
    exports: [RELAY_CONFIG],
  };
  const database = DatabaseModule.forRoot({ options, close: () => Promise.resolve() });
  application = await NestFactory.createApplicationContext(
    { module: Root, imports: [configuration, database] },
    { abortOnError: false, logger: false },
  );
};

describe('the first connection of a relay', () => {
  it('the first connection of a relay is tried again where the database is slow to answer', async () => {
    network.cut('half_open');
    const started = start();
    while (network.accepted < 3) await delay(10);
    network.heal();
    await started;
    expect(network.accepted).toBeGreaterThan(3);
  });

  it('fails after some attempts where there is no answer at all', async () => {
    network.cut('half_open');
    await expect(start()).rejects.toThrow('timeout expired');
    expect(network.accepted).toBe(6);
  });

  it('fails at once where the database refuses it', async () => {
    network.cut('reset');
    await expect(start()).rejects.toThrow();
    expect(network.accepted).toBe(1);
  });
});
