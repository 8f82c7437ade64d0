import { describe, expect, it } from '@jest/globals';
import { errorCatalogue, type ErrorCode } from '../../../../kernel/errors/error-catalogue.js';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { serializeAnthropicError, serializeOpenResponsesError, serializerFor } from './error-family.js';
import { serializeManagementError } from './management-error.js';
import { serializeOpenAiError } from './openai-error.js';

const codes = Object.keys(errorCatalogue) as ErrorCode[];

describe('the two literal bodies of the contract', () => {
  it.each([
    ['OpenAI', serializeOpenAiError],
    ['OpenResponses', serializeOpenResponsesError],
    ['Anthropic', serializeAnthropicError],
  ])('the two literal bodies of the contract are plain text for the clients of %s', (_family, serialize) => {
    expect(serialize(new FerryError('missing_or_malformed_credential'), 'req_1')).toEqual({
      status: 401,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'www-authenticate': 'Bearer' },
      body: 'missing_or_malformed_credential',
    });
    expect(serialize(new FerryError('no_node_for_user', undefined, { reason: 'model_not_loaded' }), 'req_1')).toEqual({
      status: 503,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'retry-after': '3',
        'x-should-retry': 'true',
        'x-ferry-reason': 'model_not_loaded',
      },
      body: 'no node for user',
    });
  });
});

describe('every other error', () => {
  const error = new FerryError('invalid_request', '`model` must be a string.', { param: 'model' });

  it('every other error has the envelope of OpenAI on models, chat and completions', () => {
    const { status, headers, body } = serializeOpenAiError(error, 'req_1');
    expect(status).toBe(400);
    expect(headers).toEqual({ 'content-type': 'application/json; charset=utf-8', 'x-should-retry': 'false' });
    expect(body).toBe(
      '{"error":{"message":"`model` must be a string.","type":"invalid_request_error","param":"model","code":"invalid_request"},"request_id":"req_1"}',
    );
  });

  it.each<[ErrorCode, string]>([
    ['invalid_request', 'invalid_request_error'],
    ['previous_response_not_found', 'not_found_error'],
    ['capacity', 'too_many_requests'],
    ['engine_error', 'server_error'],
    ['invalid_credential', 'authentication_error'],
  ])('every other error has the same envelope on responses, where the type of %s is %s', (code, type) => {
    const thrown = new FerryError(code, 'why', { param: 'input' });
    const inOpenAi = JSON.parse(serializeOpenAiError(thrown, 'req_1').body) as { error: object };
    const { status, headers, body } = serializeOpenResponsesError(thrown, 'req_1');
    expect(JSON.parse(body)).toEqual({ ...inOpenAi, error: { ...inOpenAi.error, type } });
    expect({ status, headers }).toMatchObject({
      status: thrown.status,
      headers: serializeOpenAiError(thrown, '').headers,
    });
  });

  it('every other error has the envelope of Anthropic on messages', () => {
    expect(serializeAnthropicError(error, 'req_1').body).toBe(
      '{"type":"error","error":{"type":"invalid_request_error","message":"`model` must be a string.","details":{"error_code":"invalid_request","param":"model"}},"request_id":"req_1"}',
    );
  });

  it('every other error is problem details on the management API, which has no literal bodies', () => {
    expect(JSON.parse(serializeManagementError(error, 'req_1').body)).toEqual({
      type: 'urn:ferry:error:invalid_request',
      title: 'Invalid request',
      status: 400,
      detail: '`model` must be a string.',
      code: 'invalid_request',
      param: 'model',
      request_id: 'req_1',
    });
    const unauthenticated = serializeManagementError(new FerryError('missing_or_malformed_credential'), 'req_1');
    expect(unauthenticated.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(JSON.parse(unauthenticated.body)).toMatchObject({ status: 401, code: 'missing_or_malformed_credential' });
  });

  it.each(codes)('%s: status, retry advice and one-line body in every family', (code) => {
    const thrown = new FerryError(code, 'two\nlines');
    for (const serialize of [
      serializeOpenAiError,
      serializeOpenResponsesError,
      serializeAnthropicError,
      serializeManagementError,
    ]) {
      const { status, headers, body } = serialize(thrown, 'req_1');
      expect(status).toBe(errorCatalogue[code].status);
      expect(body).not.toContain('\n');
      expect(headers['retry-after'] === undefined).toBe(thrown.retryAfterSeconds === undefined);
      expect(headers['x-should-retry']).toBe(thrown.shouldRetry === undefined ? undefined : String(thrown.shouldRetry));
    }
  });

  it("keeps an engine's own code, and has the type of the status that it keeps", () => {
    const refusal = (status: number, serialize: typeof serializeOpenAiError): unknown =>
      (
        JSON.parse(
          serialize(new FerryError('engine_rejected_request', 'no', { status, engineCode: 'too_hot' }), 'req_1').body,
        ) as { error: unknown }
      ).error;
    expect([404, 429, 400].map((status) => refusal(status, serializeOpenAiError))).toMatchObject([
      { type: 'not_found_error', code: 'too_hot' },
      { type: 'rate_limit_error', code: 'too_hot' },
      { type: 'invalid_request_error', code: 'too_hot' },
    ]);
    expect(refusal(429, serializeOpenResponsesError)).toMatchObject({ type: 'too_many_requests', code: 'too_hot' });
    expect(refusal(413, serializeAnthropicError)).toMatchObject({
      type: 'request_too_large',
      details: { error_code: 'too_hot' },
    });
  });

  it('rounds a wait up to whole seconds', () => {
    const wait = new FerryError('rate_limit_exceeded', undefined, { retryAfterSeconds: 0.2 });
    expect(serializeOpenAiError(wait, 'req_1').headers['retry-after']).toBe('1');
  });
});

describe('failures outside of any controller', () => {
  it.each([
    ['/v1/messages', serializeAnthropicError],
    ['/v1/messages?beta=true', serializeAnthropicError],
    ['/v1/messages/count_tokens', serializeAnthropicError],
    ['/v1/messagesx', serializeOpenAiError],
    ['/v1/responses', serializeOpenResponsesError],
    ['/v1/responses/resp_1', serializeOpenResponsesError],
    ['/v1/chat/completions', serializeOpenAiError],
    ['/', serializeOpenAiError],
    ['/api', serializeManagementError],
    ['/api/keys?x=1', serializeManagementError],
    ['/link/enrol', serializeManagementError],
  ])('%s use its error family', (url, serialize) => {
    expect(serializerFor(url)).toBe(serialize);
  });
});
