import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Injectable,
  Logger,
  Module,
  Post,
  Req,
  Res,
  UseFilters,
  UseInterceptors,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { IsInt, IsString } from 'class-validator';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyLimits } from '../../../../test/support/relay/body-server.js';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { httpServerOptions } from '../../../../test/support/relay/http-server-options.js';
import { RawClient } from '../../../../test/support/network/loopback.js';
import { ScriptedResponse } from '../../../../test/support/relay/scripted-response.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { BodyBudget } from './body/body-budget.js';
import { JsonBodyReader, ManagementBodyInterceptor } from './body/json-body-reader.js';
import { JsonParser } from './body/json-parser.js';
import { createValidationPipe } from './body/validation-pipe.js';
import { FallbackErrorFilter, ManagementErrorFilter, OpenAiErrorFilter } from './errors/error-filters.js';
import { EventStream } from './event-stream.js';
import { RelayHttpAdapter } from './relay-http-adapter.js';
import { JsonResponse } from './json-response.js';

let result: ScriptedResponse;
let bodiesRead: number;
/** What the request log would write as the route of each request that is over. */
let routes: unknown[];

const format = {
  keepAlive: Buffer.from(':\n\n'),
  terminal: (error: FerryError) => Buffer.from(`data: ${error.code}\n\n`),
};
const timing = { commitMs: 10_000, heartbeatMs: 15_000, slowClientTimeoutMs: 60_000 };

class NameDto {
  @IsString() name: string;
  @IsInt() size: number;
}

@Injectable()
class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    if (headers['authorization'] !== 'Bearer good') throw new FerryError('missing_or_malformed_credential');
    return true;
  }
}

@Controller('v1')
@UseFilters(OpenAiErrorFilter)
class InferenceController {
  constructor(private readonly bodies: JsonBodyReader) {}

  @Get('models')
  models(): { object: string } {
    return { object: 'list' };
  }

  @Get('bytes')
  @Header('content-type', 'application/json; charset=utf-8')
  bytes(): Buffer {
    return Buffer.from('{"ä":1}');
  }

  @Post('chat/completions')
  @HttpCode(200)
  async chat(
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<EventStream | JsonResponse> {
    const body = await this.bodies.read(request, response);
    bodiesRead += 1;
    if (body.json['model'] === undefined) throw new FerryError('invalid_request', 'no model', { param: 'model' });
    return body.json['stream'] === true ? new EventStream(result, format, timing) : new JsonResponse(result);
  }
}

@Controller('v1/messages')
@UseFilters(FallbackErrorFilter)
class MessagesController {
  @Post()
  create(): never {
    throw new FerryError('model_not_found');
  }
}

@Controller('api/things')
@UseFilters(ManagementErrorFilter)
@UseInterceptors(ManagementBodyInterceptor)
class ThingsController {
  @Post()
  create(@Body(createValidationPipe()) thing: NameDto): NameDto {
    return thing;
  }

  @Get('fail')
  fail(): never {
    throw new TypeError('secret detail');
  }
}

@Module({
  controllers: [InferenceController, MessagesController, ThingsController],
  providers: [
    { provide: APP_GUARD, useClass: KeyGuard },
    { provide: APP_FILTER, useClass: FallbackErrorFilter },
    {
      provide: JsonBodyReader,
      useFactory: () =>
        new JsonBodyReader(
          bodyLimits,
          new BodyBudget({ totalBytes: 1e9, perAccountBytes: 1e9 }),
          new JsonParser(1_048_576),
        ),
    },
  ],
})
class TestModule {}

let app: INestApplication;
let url: string;
let port: number;

beforeEach(async () => {
  Logger.overrideLogger(false);
  result = new ScriptedResponse();
  bodiesRead = 0;
  routes = [];
  const adapter = new RelayHttpAdapter({
    ...httpServerOptions,
    onOver: (req) => routes.push((req as { route?: { path: unknown } }).route?.path),
  });
  app = await NestFactory.create(TestModule, adapter, { bodyParser: false, abortOnError: false, logger: false });
  await app.listen(0, '127.0.0.1');
  port = ((adapter.getHttpServer() as Server).address() as AddressInfo).port;
  url = `http://127.0.0.1:${port}`;
});

afterEach(async () => {
  (app.getHttpServer() as Server).closeAllConnections();
  await app.close();
});

const authorization = 'Bearer good';
const call = (path: string, init: { method?: string; body?: string } = {}): Promise<Response> =>
  fetch(url + path, { ...init, headers: { authorization, 'content-type': 'application/json' } });
const chat = (body: unknown): Promise<Response> =>
  call('/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) });

describe('a request without a credential', () => {
  it('a request without a credential is refused before its body is read, however large', async () => {
    const client = await RawClient.request(port, [
      'POST /v1/chat/completions HTTP/1.1',
      'Host: relay',
      'Transfer-Encoding: chunked',
    ]);
    await client.until('missing_or_malformed_credential');
    expect(client.status).toBe(401);
    expect(client.received).toContain('content-type: text/plain; charset=utf-8');
    expect(client.body).toBe('missing_or_malformed_credential');
    expect(bodiesRead).toBe(0);
    client.destroy();
  });

  it.each([
    ['GET', '/v1/models', 401],
    ['GET', '/v1/models/', 401],
    ['GET', '/v1/models?x=1', 401],
    ['HEAD', '/v1/models', 401],
    ['GET', '/V1/models', 404],
    ['GET', '/v1/Models', 404],
    ['GET', '//v1/models', 404],
    ['GET', '/v1%2fmodels', 404],
    ['GET', '/v1/models;x', 404],
    ['GET', '/v1/models/extra', 404],
    ['POST', '/v1/models', 404],
    ['PUT', '/v1/chat/completions', 404],
    ['OPTIONS', '/v1/models', 404],
    ['TRACE', '/v1/models', 404],
    ['GET', '/nothing', 404],
    ['GET', '/%ff', 404],
  ])('%s %s is %d', async (method, path, status) => {
    const client = await RawClient.request(port, [`${method} ${path} HTTP/1.1`, 'Host: relay']);
    await client.until('\r\n\r\n');
    expect(client.status).toBe(status);
    client.destroy();
  });
});

describe('an answer', () => {
  it('an answer of bytes is these bytes with their length, and its head alone for HEAD', async () => {
    const response = await call('/v1/bytes');
    expect(await response.text()).toBe('{"ä":1}');
    const head = await call('/v1/bytes', { method: 'HEAD' });
    for (const { status, headers } of [response, head]) {
      expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([
        200,
        'application/json; charset=utf-8',
        '8',
      ]);
    }
    expect(await head.text()).toBe('');
  });

  it('as a stream is sent as a stream', async () => {
    const pending = chat({ model: 'm', stream: true });
    await eventually('it has started', () => result.started === 1);
    result.say('data: one\n\n');
    result.finish();
    const response = await pending;
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(await response.text()).toBe('data: one\n\n');
  });

  it.each(['/v1/chat/completions', '/v1/chat/completions/', '/v1/chat/completions?x=1'])(
    'an answer is logged under its route, however %s is dispatched',
    async (path) => {
      const pending = call(path, { method: 'POST', body: '{"model":"m"}' });
      await eventually('it has started', () => result.started === 1);
      result.length = 7;
      result.say('{"a":1}');
      result.finish();
      await (await pending).text();
      await eventually('it is over', () => routes.length === 1);
      expect(routes).toEqual(['/v1/chat/completions']);
    },
  );

  it('an answer in one piece is sent in one piece', async () => {
    const pending = chat({ model: 'm' });
    await eventually('it has started', () => result.started === 1);
    result.length = 7;
    result.say('{"a":1}');
    result.finish();
    expect(await (await pending).json()).toEqual({ a: 1 });
  });

  it.each([true, false])(
    'an answer that fails before its first bytes (stream: %s) has the status and body of its failure',
    async (stream) => {
      const pending = chat({ model: 'm', stream });
      await eventually('it has started', () => result.started === 1);
      result.fail(new FerryError('no_node_for_user', undefined, { reason: 'no_node_online' }));
      const response = await pending;
      expect(response.status).toBe(503);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(response.headers.get('retry-after')).toBe('3');
      expect(response.headers.get('x-ferry-reason')).toBe('no_node_online');
      expect(await response.text()).toBe('no node for user');
    },
  );

  it('an answer that is plain JSON has no etag and no signature of the framework', async () => {
    const response = await call('/v1/models');
    expect(await response.json()).toEqual({ object: 'list' });
    expect(response.headers.get('etag')).toBeNull();
    expect(response.headers.get('x-powered-by')).toBeNull();
  });
});

describe('an error', () => {
  it('an error has the format of its route', async () => {
    expect(await (await chat({})).json()).toMatchObject({ error: { code: 'invalid_request', param: 'model' } });
    expect(await (await chat([])).json()).toMatchObject({ error: { code: 'invalid_json' } });
    const messages = await call('/v1/messages', { method: 'POST', body: '{}' });
    expect(await messages.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
    const things = await call('/api/things/fail');
    expect(things.status).toBe(500);
    expect(things.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await things.text()).not.toContain('secret');
  });
});

describe('a management body', () => {
  const create = (body: unknown): Promise<Response> =>
    call('/api/things', { method: 'POST', body: JSON.stringify(body) });

  it('a management body is validated, and unknown fields are refused', async () => {
    expect(await (await create({ name: 'a', size: 1 })).json()).toEqual({ name: 'a', size: 1 });
    expect(await (await create({ name: 'a', size: 'x' })).json()).toMatchObject({
      code: 'invalid_request',
      param: 'size',
    });
    expect(await (await create({ name: 'a', size: 1, admin: true })).json()).toMatchObject({
      code: 'invalid_request',
      param: 'admin',
    });
    expect(await (await call('/api/things', { method: 'POST' })).json()).toMatchObject({
      code: 'invalid_request',
      param: 'name',
    });
  });

  it('a management body may be a megabyte and not more', async () => {
    expect((await create({ name: 'x'.repeat(1_048_000), size: 1 })).status).toBe(201);
    expect((await create({ name: 'x'.repeat(1_048_600), size: 1 })).status).toBe(413);
  });
});
