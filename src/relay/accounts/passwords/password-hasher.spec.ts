import { describe, expect, it } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { isAcceptablePassword } from './password.js';
import { boundedConcurrency, PasswordHasher } from './password-hasher.js';

const hasher = new PasswordHasher();

describe('PasswordHasher', () => {
  it('makes argon2id hashes with the parameters of OWASP, and verifies them', async () => {
    const stored = await hasher.hash('correct horse battery');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify(stored, 'correct horse battery')).toEqual({ matches: true, outdated: false });
    expect(await hasher.verify(stored, 'wrong horse battery')).toMatchObject({ matches: false });
  });

  it('treats two Unicode encodings of one password as equal', async () => {
    const stored = await hasher.hash('zw\u00f6lfzehnzw\u00f6lf');
    expect(await hasher.verify(stored, 'zwo\u0308lfzehnzwo\u0308lf')).toMatchObject({ matches: true });
  });

  it('reports a hash of weaker parameters, so that it is renewed', async () => {
    const weak = await hash('correct horse battery', { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    expect(await hasher.verify(weak, 'correct horse battery')).toEqual({ matches: true, outdated: true });
  });

  it('spends the same time on an unknown user, and never matches', async () => {
    expect(await hasher.verify(undefined, 'correct horse battery')).toMatchObject({ matches: false });
  });
});

describe('a password', () => {
  it.each([
    ['ninechars', false],
    ['ten chars!', true],
    ['🔑'.repeat(10), true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
  ])('%s is acceptable: %s', (text, acceptable) => {
    expect(isAcceptablePassword(text)).toBe(acceptable);
  });
});

describe('boundedConcurrency', () => {
  it('limits running and waiting work, and rejects the overflow', async () => {
    const run = boundedConcurrency(1, 1);
    const order: string[] = [];
    let finishFirst: () => void = () => undefined;
    const first = run(async () => {
      await new Promise<void>((resolve) => (finishFirst = resolve));
      order.push('first');
    });
    const second = run(() => Promise.resolve(void order.push('second')));
    await expect(run(() => Promise.resolve())).rejects.toMatchObject({ code: 'overloaded' });
    finishFirst();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
    await expect(run(() => Promise.reject(new Error('work failed')))).rejects.toThrow('work failed');
    await expect(run(() => Promise.resolve('free again'))).resolves.toBe('free again');
  });
});
