import { describe, expect, it } from '@jest/globals';
import { AdvisedError } from '../../../kernel/errors/advised-error.js';
import { DatabaseInUseError } from '../../../kernel/database-in-use-error.js';
import { InstanceLockedError } from '../../../kernel/instance-lock.js';
import { SettingsError } from '../../../kernel/settings/settings-error.js';
import { classifyFailure } from './classify-failure.js';
import { CliError } from './cli-error.js';
import { renderFailure } from '../output/render-failure.js';

const errno = (code: string, extra: object = {}): Error =>
  Object.assign(new Error(`listen ${code}`), { code, ...extra });

describe('exit codes of failures', () => {
  it("exit codes of failures keep a command's own classification", () => {
    const error = new CliError('relay_unreachable', 3, 'gone', { hint: undefined });
    expect(classifyFailure(error)).toBe(error);
  });

  it('exit codes of failures are 2 for invalid settings, naming all of them', () => {
    const error = classifyFailure(new SettingsError(['FERRY_PORT: too big', 'FERRY_HOST: empty']));
    expect(error).toMatchObject({ exitCode: 2, code: 'invalid_configuration' });
    expect(error.message).toContain('FERRY_PORT');
    expect(error.message).toContain('FERRY_HOST');
  });

  it('exit codes of failures have advice for a data directory in use', () => {
    const error = classifyFailure(new InstanceLockedError('/data', { pid: 42 }));
    expect(error).toMatchObject({ exitCode: 1, code: 'already_running' });
    expect(renderFailure(error, false)).toBe(
      'error: /data is in use by another process (pid 42)\n  try: stop it, or choose another directory with --data-dir',
    );
  });

  it('exit codes of failures have advice for a database in use', () => {
    const error = classifyFailure(new DatabaseInUseError());
    expect(error).toMatchObject({ exitCode: 1, code: 'database_in_use' });
    expect(renderFailure(error, false)).toMatch(/DATABASE_URL\n +try: stop that relay/);
  });

  it('exit codes of failures have advice for a port in use', () => {
    const error = classifyFailure(errno('EADDRINUSE', { port: 8787 }));
    expect(error).toMatchObject({ exitCode: 1, code: 'port_in_use' });
    expect(renderFailure(error, false)).toMatch(/^error: port 8787 is already in use\n {2}try: --port N/);
  });

  it('distinguish a forbidden port from a forbidden file', () => {
    expect(classifyFailure(errno('EACCES', { syscall: 'listen', port: 80 })).code).toBe('port_not_allowed');
    expect(classifyFailure(errno('EACCES', { syscall: 'open' })).code).toBe('failure');
  });

  it.each([
    ['ENOSPC', 'disk_full', 'the disk of /data/x is full'],
    ['EACCES', 'file_not_allowed', 'this user may not use /data/x'],
    ['ENOTDIR', 'not_a_directory', '/data/x is a file, and a directory is needed'],
    ['EROFS', 'read_only_disk', '/data/x is on a disk that is read only'],
  ])('exit codes of failures say of a file that fails with %s what is wrong and what to do', (code, name, message) => {
    const error = classifyFailure(errno(code, { syscall: 'mkdir', path: '/data/x' }));
    expect(error).toMatchObject({ exitCode: 1, code: name, message });
    expect(error.hint).toContain('--data-dir');
  });

  it.each([
    ['/', 'no_file', 'there is no file /x.backup', 'correct the path'],
    ['/nowhere/', 'no_directory', 'there is no directory /nowhere', 'make it with mkdir -p, or name another one'],
  ])(
    'exit codes of failures say whether the file in %s is missing or its directory',
    (directory, name, message, hint) => {
      const error = classifyFailure(errno('ENOENT', { syscall: 'open', path: `${directory}x.backup` }));
      expect(error).toMatchObject({ exitCode: 1, code: name, message, hint });
    },
  );

  it('exit codes of failures say that a host has no address, and that an address is not of this computer', () => {
    expect(classifyFailure(errno('ENOTFOUND', { syscall: 'getaddrinfo', hostname: 'db.invalid' }))).toMatchObject({
      message: 'there is no host db.invalid',
      hint: 'is it spelled right, and is this computer online?',
    });
    expect(classifyFailure(errno('EADDRNOTAVAIL', { syscall: 'listen', address: '10.9.9.9' }))).toMatchObject({
      message: '10.9.9.9 is no address of this computer',
      hint: '--host 0.0.0.0 listens on all that it has',
    });
  });

  it('exit codes of failures say that a directory is no file', () => {
    expect(classifyFailure(errno('EISDIR', { syscall: 'open', path: '/tmp' }))).toMatchObject({
      code: 'not_a_file',
      hint: 'a name in it: /tmp/NAME',
    });
  });

  it('exit codes of failures say that a disk is full, where nothing says which', () => {
    expect(classifyFailure(errno('ENOSPC', { syscall: 'write' }))).toMatchObject({
      code: 'disk_full',
      message: 'the disk is full',
      hint: 'free some space, and try again',
    });
  });

  it('exit codes of failures have the advice that a failure brings', () => {
    expect(classifyFailure(new AdvisedError('no host db', 'check DATABASE_URL'))).toMatchObject({
      exitCode: 1,
      message: 'no host db',
      hint: 'check DATABASE_URL',
    });
  });

  it('exit codes of failures are 1 for everything else, whether an Error or not', () => {
    expect(classifyFailure(new Error('boom'))).toMatchObject({ exitCode: 1, message: 'boom' });
    expect(classifyFailure('boom')).toMatchObject({ exitCode: 1, message: 'boom' });
  });
});
