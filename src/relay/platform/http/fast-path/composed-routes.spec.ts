import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  Controller,
  createParamDecorator,
  HttpCode,
  Injectable,
  Logger,
  Module,
  Post,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { APP_GUARD, DiscoveryModule, NestFactory } from '@nestjs/core';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Observable } from 'rxjs';
import { InferenceApiHarness } from '../../../../../test/support/relay/inference-api.harness.js';
import { httpServerOptions } from '../../../../../test/support/relay/http-server-options.js';
import { ScriptedAnswer } from '../../../../../test/support/relay/scripted-answer.js';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { ChatController } from '../../../protocols/chat/chat.controller.js';
import { CompletionsController } from '../../../protocols/completions/completions.controller.js';
import { MessagesController } from '../../../protocols/messages/messages.controller.js';
import { ResponsesController } from '../../../protocols/responses/responses.controller.js';
import { OpenAiErrorFilter } from '../errors/error-filters.js';
import { JsonResponse } from '../json-response.js';
import { RelayHttpAdapter } from '../relay-http-adapter.js';
import { ComposedRoutes } from './composed-routes.js';

/** What the request asks each part to do. */
type Wish = Record<'guard' | 'pipe' | 'method' | 'source', string | undefined>;
const wishOf = ({ headers }: IncomingMessage): Wish => headers as unknown as Wish;

/** Refuses, at once or later, where the wish says so. */
const maybeFail = (wish: string | undefined): Promise<never> | undefined => {
  const error = new FerryError('invalid_request', `as wished: ${wish ?? ''}`);
  if (wish === 'throws') throw error;
  if (wish === 'rejects') return Promise.reject(error);
  if (wish === 'breaks') throw new TypeError('secret detail');
  return undefined;
};

@Injectable()
class WishingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { guard } = wishOf(context.switchToHttp().getRequest<IncomingMessage>());
    if (guard === 'forbids') return false;
    if (guard === 'waits') return new Promise((resolve) => setTimeout(resolve, 5, true));
    return maybeFail(guard) ?? true;
  }
}

@Injectable()
class WishingPipe implements PipeTransform<IncomingMessage, unknown> {
  transform(request: IncomingMessage): unknown {
    const { pipe } = wishOf(request);
    if (pipe === 'waits') return new Promise((resolve) => setTimeout(resolve, 5, request));
    return maybeFail(pipe) ?? request;
  }
}

const Exchange = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<IncomingMessage>(),
);

function answerTo(request: IncomingMessage): JsonResponse | Promise<JsonResponse> {
  const { method, source } = wishOf(request);
  const failed = maybeFail(method);
  if (failed !== undefined) return failed;
  const answer = new ScriptedAnswer();
  setTimeout(() => {
    if (source === 'fails') answer.fail(new FerryError('capacity'));
    else {
      answer.length = 2;
      answer.say('{}');
      answer.finish();
    }
  }, 20);
  const response = new JsonResponse(answer);
  return method === 'waits' ? new Promise((resolve) => setTimeout(resolve, 5, response)) : response;
}

class Passes implements CanActivate, NestInterceptor {
  canActivate(): boolean {
    return true;
  }

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle();
  }
}

@Controller('v1/plain')
@UseFilters(OpenAiErrorFilter)
class PlainController {
  @Post()
  @HttpCode(200)
  create(@Exchange(WishingPipe) request: IncomingMessage): JsonResponse | Promise<JsonResponse> {
    return answerTo(request);
  }
}

@Controller('v1/guarded')
@UseFilters(OpenAiErrorFilter)
@UseGuards(Passes)
class GuardedController extends PlainController {}

@Controller('v1/intercepted')
@UseFilters(OpenAiErrorFilter)
class InterceptedController {
  @Post()
  @HttpCode(200)
  @UseInterceptors(Passes)
  create(@Exchange(WishingPipe) request: IncomingMessage): JsonResponse | Promise<JsonResponse> {
    return answerTo(request);
  }
}

@Controller('v1/two')
@UseFilters(OpenAiErrorFilter)
class TwoParametersController {
  @Post()
  @HttpCode(200)
  create(
    @Exchange(WishingPipe) request: IncomingMessage,
    @Exchange() same: IncomingMessage,
  ): JsonResponse | Promise<JsonResponse> {
    expect(same).toBe(request);
    return answerTo(request);
  }
}

@Module({
  imports: [DiscoveryModule],
  controllers: [PlainController, GuardedController, InterceptedController, TwoParametersController],
  providers: [ComposedRoutes, { provide: APP_GUARD, useClass: WishingGuard }],
})
class Routes {}

const compose = jest.spyOn(RelayHttpAdapter.prototype, 'compose');
const composed = (): readonly string[] => compose.mock.calls.map(([path]) => path);

beforeEach(() => {
  Logger.overrideLogger(false);
  compose.mockClear();
});

describe('the composition', () => {
  it.each([
    ['/v1/chat/completions', ChatController],
    ['/v1/completions', CompletionsController],
    ['/v1/messages', MessagesController],
    ['/v1/responses', ResponsesController],
  ])('covers %s', async (path, controller) => {
    const harness = await InferenceApiHarness.start(controller);
    await harness.close();
    expect(composed()).toEqual([path]);
  });
});

describe('a route', () => {
  let app: INestApplication;
  let url: string;

  beforeEach(async () => {
    const adapter = new RelayHttpAdapter({ ...httpServerOptions, fastPath: true });
    app = await NestFactory.create(Routes, adapter, { bodyParser: false, abortOnError: false, logger: false });
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${((adapter.getHttpServer() as Server).address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    (app.getHttpServer() as Server).closeAllConnections();
    await app.close();
  });

  async function post(path: string, headers: Record<string, string>): Promise<readonly unknown[]> {
    const response = await fetch(url + path, { method: 'POST', headers, body: '{}' });
    const own = [...response.headers].filter(([name]) => !['date', 'x-request-id', 'request-id'].includes(name));
    const id = response.headers.get('x-request-id') ?? '';
    expect(id).toMatch(/^req_/);
    expect(response.headers.get('request-id')).toBe(id);
    return [response.status, own, (await response.text()).replaceAll(id, 'ID')];
  }

  it('with any other part is left to Nest', async () => {
    expect(composed()).toEqual(['/v1/plain']);
    for (const path of ['/v1/guarded', '/v1/intercepted', '/v1/two'])
      expect(await post(path, {})).toEqual(await post('/v1/plain', {}));
  });

  it.each<[number, Record<string, string>]>([
    [200, {}],
    [200, { guard: 'waits' }],
    [200, { pipe: 'waits' }],
    [200, { method: 'waits' }],
    [200, { origin: 'https://page.test' }],
    [403, { guard: 'forbids' }],
    [400, { guard: 'throws' }],
    [400, { guard: 'rejects' }],
    [400, { pipe: 'throws' }],
    [400, { pipe: 'rejects' }],
    [400, { method: 'throws' }],
    [400, { method: 'rejects' }],
    [500, { pipe: 'breaks' }],
    [500, { method: 'breaks' }],
    [429, { source: 'fails' }],
  ])('answers %i to %j, and the same as another spelling of its path, which Nest serves', async (status, headers) => {
    const direct = await post('/v1/plain', headers);
    expect(direct[0]).toBe(status);
    expect(direct).toEqual(await post('/v1/plain/', headers));
  });
});
