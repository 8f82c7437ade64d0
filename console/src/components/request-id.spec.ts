import { describe, expect, it } from '@jest/globals';
import { isRequestId, requestIdPart } from './request-id';

describe('the id of a request', () => {
  it.each([
    ['req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352', 'req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352'],
    [' REQ_5B1F ', 'req_5b1f'],
    ['…a1f352', 'a1f352'],
    ['req_5b1f0c9…f352', 'req_5b1f0c9'],
    ['5b1', null],
    ['qwen3:8b', null],
    ['', null],
  ])('the id of a request is found in "%s"', (text, part) => {
    expect(requestIdPart(text)).toBe(part);
  });

  it('the id of a request is whole or a part of one', () => {
    expect(isRequestId('req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352')).toBe(true);
    expect(isRequestId('req_5b1f')).toBe(false);
  });
});
