import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../../test/support/clock/eventually.js';
import { httpServerOptions } from '../../../test/support/relay/http-server-options.js';
import { ScriptedResponse } from '../../../test/support/relay/scripted-response.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { ClientDisconnectedError } from '../platform/http/errors/client-disconnected-error.js';
import { inferenceAccess } from '../platform/access/access.js';
import { serializeOpenAiError } from '../platform/http/errors/openai-error.js';
import { JsonResponse } from '../platform/http/json-response.js';
import { RelayHttpAdapter } from '../platform/http/relay-http-adapter.js';
import type { InferenceCall } from './inference-call.js';
import { InferenceExchange, type InferenceRoute } from './inference-exchange.js';

type Part = 'guard' | 'calls' | 'controller' | 'answer';
type Behaviour = 'waits' | 'throws' | 'rejects' | 'breaks' | 'leaves';

@Module({})
class NoRoutes {}

const soon = <Value>(value: Value): Promise<Value> => new Promise((resolve) => setTimeout(resolve, 5, value));

/** What a part does of its own accord, or its usual result. */
function behave<Value>(behaviour: Behaviour | undefined, typical: () => Value): Value | Promise<Value> {
  const error = new FerryError('invalid_request', 'refused by a part');
  switch (behaviour) {
    case 'waits':
      return soon(typical());
    case 'throws':
      throw error;
    case 'rejects':
      return Promise.reject(error);
    case 'breaks':
      throw new TypeError('secret detail');
    case 'leaves':
      throw new ClientDisconnectedError();
    case undefined:
      return typical();
  }
}

let behaviours: Partial<Record<Part, Behaviour>>;
let serializeError: InferenceRoute['serializeError'];
let order: string[];
/** What the request log would write as the route of each request that is over. */
let routes: unknown[];
let app: Awaited<ReturnType<typeof NestFactory.create>>;
let url: string;

function responded(): JsonResponse {
  order.push('controller');
  const response = new ScriptedResponse();
  setTimeout(() => {
    if (behaviours.answer !== undefined) {
      response.fail(new FerryError('capacity'));
      return;
    }
    response.length = 2;
    response.say('{}');
    response.finish();
  }, 5);
  return new JsonResponse(response);
}

const guard: InferenceRoute['guard'] = {
  admit: () => {
    order.push('guard');
    return behave(behaviours.guard, () => true);
  },
};
const calls: InferenceRoute['calls'] = {
  transform: () => {
    order.push('body');
    return behave(behaviours.calls, () => ({}) as InferenceCall);
  },
};
const controller = {
  create: () => behave(behaviours.controller, responded) as JsonResponse,
};

describe('an inference request', () => {
  beforeEach(async () => {
    behaviours = {};
    order = [];
    routes = [];
    serializeError = serializeOpenAiError;
    const adapter = new RelayHttpAdapter(
      { ...httpServerOptions, onOver: (req) => routes.push((req as { route?: { path: unknown } }).route?.path) },
      { note: () => order.push('noted') },
    );
    const route: InferenceRoute = {
      dialect: 'chat',
      extensions: { isOn: () => false },
      access: inferenceAccess,
      guard,
      calls,
      controller,
      serializeError: (error, id) => serializeError(error, id),
      reply: (res, response, status) => adapter.reply(res, response, status),
      fail: (req, res, error) => {
        adapter.fail(req, res, error);
      },
    };
    app = await NestFactory.create(NoRoutes, adapter, { bodyParser: false, abortOnError: false, logger: false });
    adapter.serve('/v1/plain', (req, res) => {
      new InferenceExchange(route, req, res).start();
    });
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${((adapter.getHttpServer() as Server).address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    (app.getHttpServer() as Server).closeAllConnections();
    await app.close();
  });

  async function post(path: string): Promise<readonly unknown[]> {
    const response = await fetch(url + path, { method: 'POST', body: '{}' });
    const own = [...response.headers].filter(
      ([name]) => !['date', 'x-request-id', 'request-id', 'keep-alive'].includes(name),
    );
    const id = response.headers.get('x-request-id') ?? '';
    expect(id).toMatch(/^req_/);
    expect(response.headers.get('request-id')).toBe(id);
    return [response.status, own, (await response.text()).replaceAll(id, 'ID')];
  }

  it.each<[number, Partial<Record<Part, Behaviour>>]>([
    [200, {}],
    [200, { guard: 'waits' }],
    [200, { calls: 'waits' }],
    [400, { guard: 'throws' }],
    [400, { guard: 'rejects' }],
    [400, { calls: 'throws' }],
    [400, { calls: 'rejects' }],
    [400, { controller: 'throws' }],
    [500, { guard: 'breaks' }],
    [500, { calls: 'breaks' }],
    [500, { controller: 'breaks' }],
    [429, { answer: 'rejects' }],
  ])('gets the status %i where %j, in every spelling of its path', async (status, parts) => {
    behaviours = parts;
    const exact = await post('/v1/plain');
    expect(exact[0]).toBe(status);
    expect(String(exact[2])).not.toContain('secret');
    expect(await post('/v1/plain/')).toEqual(exact);
    expect(await post('/v1/plain?beta=true')).toEqual(exact);
  });

  it('an inference request has its body read only after the guard, and its controller called only with the body', async () => {
    behaviours = { guard: 'waits', calls: 'waits' };
    await post('/v1/plain');
    expect(order).toEqual(['guard', 'body', 'controller']);
    order = [];
    behaviours = { guard: 'rejects' };
    await post('/v1/plain');
    expect(order).toEqual(['guard']);
  });

  it('an inference request is logged under its route, in every spelling of its path', async () => {
    for (const spelling of ['/v1/plain', '/v1/plain/', '/v1/plain?beta=true']) await post(spelling);
    await eventually('all are over', () => routes.length === 3);
    expect(routes).toEqual(['/v1/plain', '/v1/plain', '/v1/plain']);
  });

  it('an inference request is answered with an internal error where its own error cannot be sent', async () => {
    behaviours = { calls: 'throws' };
    serializeError = () => {
      throw new TypeError('secret detail');
    };
    for (const path of ['/v1/plain', '/v1/plain/']) {
      const [status, , body] = await post(path);
      expect([status, String(body)]).toEqual([500, expect.stringContaining('internal_error')]);
    }
    expect(order.filter((what) => what === 'noted')).toHaveLength(2);
  });

  it('writes nothing once its client has left', async () => {
    behaviours = { calls: 'leaves' };
    const left = new AbortController();
    const pending = fetch(`${url}/v1/plain`, { method: 'POST', body: '{}', signal: left.signal });
    await soon(null);
    left.abort();
    await expect(pending).rejects.toThrow('aborted');
    behaviours = {};
    expect((await post('/v1/plain'))[0]).toBe(200);
  });
});
