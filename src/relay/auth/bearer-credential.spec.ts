import { describe, expect, it } from '@jest/globals';
import { incomingRequest } from '../../../test/support/relay/incoming-request.js';
import { bearerCredential } from './bearer-credential.js';

describe('bearerCredential', () => {
  it.each([
    ['plain', ['Authorization', 'Bearer abc']],
    ['any case of name and scheme', ['aUTHORIZATION', 'bEARER abc']],
    ['blanks around', ['Authorization', ' \tBearer \t abc\t ']],
    ['an x-api-key beside it', ['x-api-key', 'other', 'Authorization', 'Bearer abc']],
  ])('takes the credential: %s', (_name, headers) => {
    expect(bearerCredential(incomingRequest(headers))).toBe('abc');
  });

  it.each([
    ['no header', []],
    ['x-api-key alone', ['x-api-key', 'abc']],
    ['two headers', ['Authorization', 'Bearer abc', 'authorization', 'Bearer abc']],
    ['two headers, one empty', ['Authorization', 'Bearer abc', 'Authorization', '']],
    ['an empty header', ['Authorization', '']],
    ['the scheme alone', ['Authorization', 'Bearer ']],
    ['no scheme', ['Authorization', 'abc']],
    ['another scheme', ['Authorization', 'Basic abc']],
    ['more than one word', ['Authorization', 'Bearer abc def']],
    ['no blank after the scheme', ['Authorization', 'Bearerabc']],
  ])('refuses: %s', (_name, headers) => {
    expect(() => bearerCredential(incomingRequest(headers))).toThrow(
      expect.objectContaining({ code: 'missing_or_malformed_credential', status: 401 }),
    );
  });
});
