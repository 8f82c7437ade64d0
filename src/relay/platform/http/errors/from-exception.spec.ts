import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BadRequestException, Logger, NotFoundException } from '@nestjs/common';
import type { Request } from 'express';
import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { ClientDisconnectedError } from './client-disconnected-error.js';
import { fromException } from './error-filters.js';
import { routeNotFound } from './route-not-found.js';

const request = (method: string, path: string): Request => ({ method, path }) as Request;
const anywhere = request('GET', '/v1/models');
const log = { error: jest.fn(), log: jest.fn(), warn: jest.fn() };

beforeEach(() => {
  jest.clearAllMocks();
  Logger.overrideLogger(log);
});

describe('a thrown error', () => {
  it('a thrown error of the catalogue is kept, and not logged', () => {
    const error = new FerryError('capacity');
    expect(fromException(error, anywhere)).toBe(error);
    expect(log.error).not.toHaveBeenCalled();
  });

  it('a thrown error that is unexpected becomes an internal error: logged once, without details for the client', () => {
    const error = fromException(new TypeError('secret detail'), anywhere);
    expect(error).toMatchObject({ code: 'internal_error', status: 500 });
    expect(error!.message).not.toContain('secret');
    expect(log.error).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['refused', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
    ['too slow to connect', new Error('timeout exceeded when trying to connect')],
    ['silent when it is connected to', new Error('timeout expired')],
    ['too slow to answer', new Error('Query read timeout')],
    ['gone in the middle', new Error('Connection terminated unexpectedly')],
    ['gone between two queries of a transaction', new QueryRunnerAlreadyReleasedError()],
    ['tired of a transaction', Object.assign(new Error('terminating connection'), { code: '25P03' })],
    ['shutting down', Object.assign(new Error('terminating connection'), { code: '57P01' })],
    ['out of connections', Object.assign(new Error('sorry, too many clients already'), { code: '53300' })],
    [
      'wrapped',
      Object.assign(new Error('query failed'), { driverError: Object.assign(new Error(), { code: '08006' }) }),
    ],
  ])('a thrown error is 503 when the database is %s', (_how, cause) => {
    const error = fromException(cause, anywhere);
    expect(error).toMatchObject({ code: 'overloaded', status: 503 });
    expect(error!.message).not.toContain('insufficient_storage');
    expect(log.error).not.toHaveBeenCalled();
  });

  it.each(['53000', '53100', '53200', '53400'])('names a full disk (%s), which is not retryable', (code) => {
    const cause = Object.assign(new Error('query failed'), { driverError: Object.assign(new Error(), { code }) });
    expect(fromException(cause, anywhere)).toMatchObject({
      code: 'overloaded',
      status: 503,
      message: expect.stringContaining('insufficient_storage') as unknown,
    });
  });

  it('a thrown error is internal for an invalid query', () => {
    const cause = Object.assign(new Error('syntax error'), { code: '42601' });
    expect(fromException(cause, anywhere)).toMatchObject({ code: 'internal_error' });
  });

  it('a thrown error is ignored when the client has disconnected', () => {
    expect(fromException(new ClientDisconnectedError(), anywhere)).toBeUndefined();
  });

  it('a thrown error of the framework becomes the nearest catalogue error', () => {
    expect(fromException(new NotFoundException('Cannot GET /x'), request('GET', '/x'))).toMatchObject({
      code: 'route_not_found',
    });
    expect(fromException(new BadRequestException('no'), anywhere)).toMatchObject({
      code: 'invalid_request',
      status: 400,
    });
    expect(fromException(new URIError('malformed'), anywhere)).toMatchObject({ code: 'invalid_request', status: 400 });
  });
});

describe('an unknown route', () => {
  it.each([
    ['POST', '/v1/models', '/v1/models takes GET only'],
    ['GET', '/v1/chat/completions/', '/v1/chat/completions takes POST only'],
    ['GET', '/models', 'Did you mean /v1/models?'],
    ['POST', '/chat/completions', 'Did you mean /v1/chat/completions?'],
    ['POST', '/v1/v1/chat/completions', 'The path has /v1 twice'],
    [
      'POST',
      '//v1/chat/completions',
      "Did you mean /v1/chat/completions? The client's base URL must not end in a slash.",
    ],
    ['GET', '/V1/models', 'Did you mean /v1/models? Paths are in lower case.'],
    ['POST', '/api/generate', 'Ferry has no Ollama API'],
    ['GET', '/api/tags', 'base URL that ends in /v1'],
  ])('%s %s gets a hint', (method, path, hint) => {
    expect(routeNotFound(method, path)).toMatchObject({ code: 'route_not_found', status: 404 });
    expect(routeNotFound(method, path).message).toContain(hint);
  });

  it('an unknown route without a likely reason has no hint, and no end of a path is repeated', () => {
    expect(routeNotFound('GET', '/nothing').message).toBe('There is no route GET /nothing.');
    expect(routeNotFound('GET', `/${'x'.repeat(10_000)}`).message.length).toBeLessThan(250);
    expect(routeNotFound('GET', '/__proto__').message).toBe('There is no route GET /__proto__.');
  });
});
