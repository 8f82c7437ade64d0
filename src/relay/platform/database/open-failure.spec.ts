import { expect, it } from '@jest/globals';
import { openFailure } from './open-failure.js';

const postgres = 'postgres://ferry:secret@db.invalid:5432/ferry';
const embedded = undefined;
const failed = (code: string): Error => Object.assign(new Error(`it failed with ${code}`), { code });

it.each([
  [postgres, failed('ENOTFOUND'), 'there is no host db.invalid', 'DATABASE_URL'],
  [postgres, failed('ECONNREFUSED'), 'it failed with ECONNREFUSED', 'start Postgres'],
  [postgres, failed('28P01'), 'it failed with 28P01', 'user and password'],
  [postgres, failed('3D000'), 'it failed with 3D000', 'createdb'],
  [embedded, failed('ENOSPC'), 'the disk is full', '--data-dir'],
  // What the program that makes the embedded database prints; 51 is ENOSPC.
  [
    embedded,
    new Error("Command failed: node\n\nErrnoError { name: 'ErrnoError', errno: 51 }\n"),
    'the disk is full',
    '--data-dir',
  ],
  // What the program that unpacks it prints.
  [
    embedded,
    new Error(
      "Command failed: node\nError: ENOSPC: no space left on device, write\n    at writeSync (node:fs:933:3) {\n  errno: -28,\n  syscall: 'write',\n  code: 'ENOSPC'\n}\n",
    ),
    'the disk is full',
    '--data-dir',
  ],
  [embedded, failed('EACCES'), 'this user may not write there', '--data-dir'],
])('of %s: %s is told with advice', (url, error, reason, advice) => {
  const failure = openFailure(url, error);
  expect(failure.reason).toBe(reason);
  expect(failure.advice).toContain(advice);
  expect(JSON.stringify(failure)).not.toContain('secret');
});

it('says what an unknown failure says', () => {
  expect(openFailure(postgres, new Error('odd'))).toEqual({ reason: 'odd', advice: undefined });
  expect(openFailure(postgres, Object.assign(new AggregateError([failed('EX'), failed('EY')]), {}))).toMatchObject({
    reason: 'it failed with EX, it failed with EY',
  });
});
