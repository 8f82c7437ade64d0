import { describe, expect, it } from '@jest/globals';
import { safeNext, signInPath, signInPurpose, stepAfterSignIn } from './sign-in-path';

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
  ])('returns the start page instead of %j', (next) => {
    expect(safeNext(next)).toBe('/');
  });
});

describe('signInPath', () => {
  it('returns to the page', () => {
    expect(signInPath('/models?q=x')).toBe('/sign-in?next=%2Fmodels%3Fq%3Dx');
    expect(signInPath('/device?code=ABCD-EFGH')).toBe('/sign-in?next=%2Fdevice%3Fcode%3DABCD-EFGH');
  });

  it('returns to the page that needs a session among those on the way in', () => {
    expect(signInPath('/reset')).toBe('/sign-in?next=%2Freset');
    expect(signInPath('/invite')).toBe('/sign-in');
  });

  it('states why the session has ended', () => {
    expect(signInPath('/chat', 'session_ended')).toBe('/sign-in?next=%2Fchat&reason=session_ended');
    expect(signInPath('/', 'session_ended')).toBe('/sign-in?reason=session_ended');
  });

  it('signInPath has no return page for the start page and sign-in pages', () => {
    expect(signInPath('/')).toBe('/sign-in');
    expect(signInPath('/sign-in?next=%2Fmodels')).toBe('/sign-in');
  });
});

describe('stepAfterSignIn', () => {
  it('says what follows where a password of one’s own is to be chosen, and nothing elsewhere', () => {
    expect(stepAfterSignIn('/reset')).toContain('On the next page you choose your own.');
    for (const next of ['/models', '//evil.example/reset', undefined]) expect(stepAfterSignIn(next)).toBeUndefined();
  });
});

describe('signInPurpose', () => {
  it.each([
    ['/device?code=ABCD-EFGH', 'Sign in to approve a device'],
    ['/reset', 'Sign in with the temporary password'],
    ['/models', undefined],
    ['//evil.example/device', undefined],
    [undefined, undefined],
  ])('of %s is %s', (next, purpose) => {
    expect(signInPurpose(next)).toBe(purpose);
  });
});
