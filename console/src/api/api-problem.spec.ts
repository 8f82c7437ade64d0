import { describe, expect, it } from '@jest/globals';
import { ApiProblem, problemOf } from './api-problem';

describe('problemOf', () => {
  it('reads problem details', () => {
    const body = {
      title: 'Not found',
      detail: 'There is no such node.',
      code: 'not_found',
      param: 'id',
      request_id: 'req_1',
    };
    expect(problemOf(404, body, 'req_header')).toMatchObject({
      status: 404,
      code: 'not_found',
      message: 'There is no such node.',
      requestId: 'req_1',
      param: 'id',
    });
  });

  it('reads an error of the inference protocols', () => {
    const body = {
      error: { message: 'Not loaded.', type: 'invalid_request_error', code: 'model_not_loaded', param: null },
    };
    expect(problemOf(409, body, 'req_header')).toMatchObject({
      code: 'model_not_loaded',
      message: 'Not loaded.',
      requestId: 'req_header',
      param: null,
    });
  });

  it.each([[null], ['<html>'], [[]], [{ error: 'gone' }]])('states the status when the body is %j', (body) => {
    expect(problemOf(502, body, null)).toMatchObject({ code: 'http_502', message: 'The relay answered with 502.' });
  });
});

describe('ApiProblem.of', () => {
  it('keeps a problem and wraps anything else', () => {
    const problem = new ApiProblem(500, 'internal_error', 'x');
    expect(ApiProblem.of(problem)).toBe(problem);
    expect(ApiProblem.of(new Error('broken'))).toMatchObject({ status: 0, message: 'broken' });
    expect(ApiProblem.of('text').message).toBe('text');
  });
});
