import { Controller, Get, UseFilters, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { APP_GUARD } from '@nestjs/core';
import { createCredential } from '../../kernel/credential.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { apiKeyIdOf, cliTokenIdOf, type AccountId } from '../../kernel/ids.js';
import { CliTokensService } from '../accounts/cli-tokens.service.js';
import type { ApiKeyScope } from '../keys/caller.js';
import { KeyVerifier } from '../keys/key-verifier.js';
import { OpenAiErrorFilter } from '../platform/http/errors/error-filters.js';
import { AccessGuard } from './access.guard.js';
import { Inference, Management, Public, ReadsModels } from './access.js';
import { CurrentCaller, CurrentManager, type Caller, type Manager } from './identities.js';

const accountId = 'acc_1' as AccountId;

@Controller()
@UseFilters(OpenAiErrorFilter)
class Routes {
  @Get('undecorated') undecorated(): string {
    return 'open';
  }
  @Get('public') @Public() public(): string {
    return 'open';
  }
  @Get('inference') @Inference() inference(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }
  @Get('models') @ReadsModels() models(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }
  @Get('management') @Management() management(@CurrentManager() manager: Manager): Manager {
    return manager;
  }
}

const keys: Record<string, ApiKeyScope> = { 'can-infer': 'inference', 'can-list': 'models:read' };
const callerWith = (scope: ApiKeyScope): Caller => ({
  accountId,
  keyPublicId: apiKeyIdOf('key000000000'),
  scopes: [scope],
  clusterIds: null,
});
const manager: Manager = { accountId, credential: { kind: 'cli-token', id: cliTokenIdOf('cli'), name: 'laptop' } };

const verifyKey = jest.fn((text: string): Promise<Caller> => {
  const scope = keys[text];
  return scope === undefined
    ? Promise.reject(new FerryError('invalid_credential'))
    : Promise.resolve(callerWith(scope));
});

let app: INestApplication;
let baseUrl: string;

beforeAll(async () => {
  const module = await Test.createTestingModule({
    controllers: [Routes],
    providers: [
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: KeyVerifier, useValue: { verify: verifyKey } },
      // The real one: a credential of another kind must not even reach its store.
      { provide: CliTokensService, useValue: new CliTokensService({ findForVerification: neverCalled } as never) },
    ],
  }).compile();
  app = module.createNestApplication();
  // The refused route below is reported as a bug; here it is meant.
  app.useLogger(false);
  await app.listen(0, '127.0.0.1');
  baseUrl = await app.getUrl();
});

afterAll(async () => {
  await app.close();
});

function neverCalled(): Promise<never> {
  return Promise.reject(new Error('no look-up was expected'));
}

const get = (path: string, credential?: string): Promise<Response> =>
  fetch(`${baseUrl}/${path}`, { headers: credential === undefined ? {} : { authorization: `Bearer ${credential}` } });

describe('AccessGuard', () => {
  it('refuses a route that does not say who may call it, with or without a credential', async () => {
    for (const credential of [undefined, 'can-infer']) {
      const response = await get('undecorated', credential);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('open');
    }
  });

  it('asks nothing on a public route', async () => {
    expect(await (await get('public')).text()).toBe('open');
  });

  it('answers a missing credential with the literal text', async () => {
    const response = await get('inference');
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      401,
      'text/plain; charset=utf-8',
      'missing_or_malformed_credential',
    ]);
  });

  it('hands the caller to the route', async () => {
    expect(await (await get('inference', 'can-infer')).json()).toEqual(callerWith('inference'));
  });

  it('lets inference imply reading models, but not the other way round', async () => {
    expect((await get('models', 'can-infer')).status).toBe(200);
    expect((await get('models', 'can-list')).status).toBe(200);
    const refused = await get('inference', 'can-list');
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: 'insufficient_scope' } });
  });

  it('never takes an API key for management', async () => {
    const response = await get('management', createCredential('api-key').text);
    expect([response.status, await response.text()]).toEqual([401, 'missing_or_malformed_credential']);
  });

  it('hands the manager to the route', async () => {
    const service = app.get(CliTokensService);
    const verify = jest.spyOn(service, 'verify').mockResolvedValue(manager);
    expect(await (await get('management', 'ferry-cli')).json()).toEqual(manager);
    expect(verify).toHaveBeenCalledWith('ferry-cli');
  });
});
