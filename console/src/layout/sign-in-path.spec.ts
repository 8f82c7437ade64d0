import { describe, expect, it } from '@jest/globals';
import { safeNext, signInPath } from './sign-in-path';

describe('safeNext', () => {
  it.each(['/models', '/requests/req_1?sort=-model', '/device?code=ABCD-EFGH'])('keeps %s', (next) => {
    expect(safeNext(next)).toBe(next);
  });

  it.each([
    undefined,
    '',
    'models',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
  ])('leads home instead of to %j', (next) => {
    expect(safeNext(next)).toBe('/');
  });
});

describe('signInPath', () => {
  it('comes back to the page', () => {
    expect(signInPath('/models?q=x')).toBe('/sign-in?next=%2Fmodels%3Fq%3Dx');
    expect(signInPath('/device?code=ABCD-EFGH')).toBe('/sign-in?next=%2Fdevice%3Fcode%3DABCD-EFGH');
  });

  it('says why the session is gone', () => {
    expect(signInPath('/chat', 'session_ended')).toBe('/sign-in?next=%2Fchat&reason=session_ended');
    expect(signInPath('/', 'session_ended')).toBe('/sign-in?reason=session_ended');
  });

  it('names no page when it is the first one or one of signing in', () => {
    expect(signInPath('/')).toBe('/sign-in');
    expect(signInPath('/sign-in?next=%2Fmodels')).toBe('/sign-in');
  });
});
