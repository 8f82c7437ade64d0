import { Controller, Get, Post, SetMetadata, UseFilters, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { APP_GUARD } from '@nestjs/core';
import { createCredential } from '../../kernel/credential.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { apiKeyIdOf, cliTokenIdOf, sessionIdOf, type AccountId, type UserId } from '../../kernel/ids.js';
import { CliTokensService } from '../accounts/cli-tokens.service.js';
import { SessionsService } from '../accounts/sessions/sessions.service.js';
import { noKeyLimits, type ApiKeyScope } from '../platform/access/caller.js';
import { KeyVerifier } from '../keys/key-verifier.js';
import { ExtensionState, type ExtensionChoices } from '../extensions/extension-state.js';
import { RELAY_CONFIG } from '../platform/config/relay-config.js';
import { ClientOrigins } from '../platform/http/client-origin.js';
import { OpenAiErrorFilter } from '../platform/http/errors/error-filters.js';
import { AccessGuard } from './access.guard.js';
import { ACCESS, inferenceAccess, Public, ReadsModels, Requires } from '../platform/access/access.js';
import { CurrentCaller, CurrentPrincipal, type Caller, type Principal } from '../platform/access/request-principal.js';
import { PrincipalVerifier } from './principal-verifier.js';
import { SessionCookie } from '../platform/access/session-cookie.js';

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
  @Get('inference') @SetMetadata(ACCESS, inferenceAccess) inference(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }
  @Get('v1/models') @ReadsModels() list(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }
  @Get('v1/messages') @SetMetadata(ACCESS, inferenceAccess) messages(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }
  @Get('models') @ReadsModels() models(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }
  @Get('management') @Requires('account:read') management(@CurrentPrincipal() principal: Principal): Principal {
    return principal;
  }
  @Post('management') @Requires('account:read') change(@CurrentPrincipal() principal: Principal): Principal {
    return principal;
  }
  @Get('admins') @Requires('audit:read') admins(): string {
    return 'open';
  }
}

const keys: Record<string, ApiKeyScope> = { 'can-infer': 'inference', 'can-list': 'models:read' };
const callerWith = (scope: ApiKeyScope): Caller => ({
  accountId,
  keyPublicId: apiKeyIdOf('key000000000'),
  scopes: [scope],
  clusterIds: null,
  limits: noKeyLimits,
});
const principal: Principal = {
  accountId,
  userId: null,
  role: 'owner',
  credential: { kind: 'cli-token', id: cliTokenIdOf('cli'), name: 'laptop' },
};

const member: Principal = {
  accountId,
  userId: 'usr_1' as UserId,
  role: 'member',
  credential: { kind: 'session', id: sessionIdOf('ses'), name: 'ann@example.com' },
};

const verifySession = jest.fn((): Promise<Principal> => Promise.resolve(member));

const verifyKey = jest.fn((text: string): Promise<Caller> => {
  const scope = keys[text];
  return scope === undefined
    ? Promise.reject(new FerryError('invalid_credential'))
    : Promise.resolve(callerWith(scope));
});

/** A key that was verified lately. */
const knownKey = (text: string): Caller | undefined => (text === 'seen-lately' ? callerWith('models:read') : undefined);

let app: INestApplication;
let baseUrl: string;

beforeAll(async () => {
  const module = await Test.createTestingModule({
    controllers: [Routes],
    providers: [
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: KeyVerifier, useValue: { known: knownKey, verify: verifyKey } },
      PrincipalVerifier,
      SessionCookie,
      ExtensionState,
      {
        provide: RELAY_CONFIG,
        useValue: { baseUrl: 'https://relay.test', settings: { host: '127.0.0.1', extensions: '' } },
      },
      { provide: SessionsService, useValue: { verify: verifySession } },
      { provide: ClientOrigins, useValue: { of: () => ({ ip: '192.0.2.7', userAgent: null }) } },
      // The real one: a credential of another kind must not even reach its store.
      {
        provide: CliTokensService,
        useValue: new CliTokensService({ findForVerification: neverCalled } as never, {} as never),
      },
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
  it('refuses a route without an access decorator, with or without a credential', async () => {
    for (const credential of [undefined, 'can-infer']) {
      const response = await get('undecorated', credential);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('open');
    }
  });

  it('takes a recent key from the cache, and still checks its scope', async () => {
    verifyKey.mockClear();
    expect((await get('models', 'seen-lately')).status).toBe(200);
    expect((await get('inference', 'seen-lately')).status).toBe(403);
    expect(verifyKey).not.toHaveBeenCalled();
  });

  it('needs no credential on a public route', async () => {
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

  it('passes the caller to the route', async () => {
    expect(await (await get('inference', 'can-infer')).json()).toEqual(callerWith('inference'));
  });

  it('lets the inference scope imply reading models, but not the reverse', async () => {
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

  it('passes the principal to the route', async () => {
    const service = app.get(CliTokensService);
    const verify = jest.spyOn(service, 'verify').mockResolvedValue(principal);
    expect(await (await get('management', 'ferry-cli')).json()).toEqual(principal);
    expect(verify).toHaveBeenCalledWith('ferry-cli');
  });
});

describe('a key in x-api-key', () => {
  const anthropic = { 'anthropic-version': '2023-06-01' };
  const send = async (headers: Record<string, string>, path = 'v1/models'): Promise<[number, string]> => {
    const response = await fetch(`${baseUrl}/${path}`, { headers });
    return [response.status, await response.text()];
  };
  const accounts = (choices: ExtensionChoices, count = 1): void => {
    app.get(ExtensionState).apply({ accounts: count, choices: new Map([[accountId, choices]]) });
  };
  const literal = [401, 'missing_or_malformed_credential'];

  afterEach(() => {
    app.get(ExtensionState).apply({ accounts: 0, choices: new Map() });
  });

  it('is not read while the extension is off, not even looked up', async () => {
    verifyKey.mockClear();
    expect(await send({ 'x-api-key': 'can-list', ...anthropic })).toEqual(literal);
    expect(verifyKey).not.toHaveBeenCalled();
  });

  it('is accepted for the account that has the extension on, with its scopes', async () => {
    accounts({ 'x-api-key': true });
    expect((await send({ 'x-api-key': 'can-list', ...anthropic }))[0]).toBe(200);
    expect((await send({ 'x-api-key': 'can-list', ...anthropic }, 'v1/messages'))[0]).toBe(403);
    expect((await send({ 'x-api-key': 'can-infer' }, 'v1/messages'))[0]).toBe(200);
    expect((await send({ 'x-api-key': 'unknown' }, 'v1/messages'))[1]).toContain('invalid_credential');
  });

  it('is not read where the client does not speak the protocol of Anthropic, beside a bearer, or sent twice', async () => {
    accounts({ 'x-api-key': true });
    expect(await send({ 'x-api-key': 'can-list' })).toEqual(literal);
    expect(await send({ 'x-api-key': 'can-infer' }, 'inference')).toEqual(literal);
    expect(await send({ 'x-api-key': 'can-list', authorization: 'Basic x', ...anthropic })).toEqual(literal);
    expect((await send({ 'x-api-key': 'can-list', authorization: 'Bearer unknown', ...anthropic }))[0]).toBe(401);
  });

  it('of an account without the extension is answered as if no account had it', async () => {
    app.get(ExtensionState).apply({ accounts: 2, choices: new Map([['acc_2' as AccountId, { 'x-api-key': true }]]) });
    expect(await send({ 'x-api-key': 'can-list', ...anthropic })).toEqual(literal);
    expect(await send({ 'x-api-key': 'unknown', ...anthropic })).toEqual(literal);
  });

  it('a missing credential has words where every account has JSON errors on', async () => {
    accounts({ 'json-errors': true }, 2);
    expect(await send({})).toEqual(literal);
    accounts({ 'json-errors': true });
    const [status, text] = await send({});
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'missing_or_malformed_credential', message: expect.stringContaining('Authorization: Bearer') },
    });
  });
});

describe('a session', () => {
  const cookie = '__Host-ferry_session=ferry-ses-1';
  const send = (path: string, headers: Record<string, string>, method = 'POST'): Promise<Response> =>
    fetch(`${baseUrl}/${path}`, { method, headers: { cookie, ...headers } });
  const json = { 'content-type': 'application/json' };

  it('a session is accepted for management, not for inference', async () => {
    expect(await (await send('management', {}, 'GET')).json()).toEqual(member);
    expect((await send('inference', {}, 'GET')).status).toBe(401);
  });

  it('together with a bearer token is refused as ambiguous', async () => {
    const response = await send('management', { authorization: 'Bearer ferry-cli-1' }, 'GET');
    expect([response.status, ((await response.json()) as { error: object }).error]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_request' }),
    ]);
  });

  it('sent twice is refused', async () => {
    expect((await send('management', { cookie: `${cookie}; ${cookie}` }, 'GET')).status).toBe(400);
  });

  it('under the loopback cookie name is ignored with TLS', async () => {
    expect((await send('management', { cookie: 'ferry_session_dev=ferry-ses-1' }, 'GET')).status).toBe(401);
  });

  it.each([
    ['from a page of ours', { 'sec-fetch-site': 'same-origin' }, 201],
    ['typed by hand', { 'sec-fetch-site': 'none' }, 201],
    ['from an old browser on a page of ours', { origin: 'https://relay.test' }, 201],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['from a sibling host', { 'sec-fetch-site': 'same-site', origin: 'https://relay.test' }, 403],
    ['from an old browser elsewhere', { origin: 'https://evil.test' }, 403],
    ['from who knows where', {}, 403],
  ])('for a change %s: %o is %i', async (_from, headers, status) => {
    expect((await send('management', { ...json, ...headers })).status).toBe(status);
  });

  it('refuses form submissions', async () => {
    const form = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    expect(await (await send('management', form)).json()).toMatchObject({
      error: { code: 'unsupported_content_type' },
    });
  });

  it('a session with too low a role is 403', async () => {
    const response = await send('admins', {}, 'GET');
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({ error: expect.objectContaining({ code: 'insufficient_role' }) }),
    ]);
  });
});
