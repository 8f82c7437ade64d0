import { describe, expect, it } from '@jest/globals';
import { DatabaseInUseError } from '../../../kernel/database-in-use-error.js';
import { InstanceLockedError } from '../../../kernel/instance-lock.js';
import { SettingsError } from '../../../kernel/settings/settings-error.js';
import { classifyFailure } from './classify-failure.js';
import { CliError } from './cli-error.js';
import { renderFailure } from '../output/render-failure.js';

const errno = (code: string, extra: object = {}): Error =>
  Object.assign(new Error(`listen ${code}`), { code, ...extra });

describe('exit codes of failures', () => {
  it("keep a command's own classification", () => {
    const error = new CliError('relay_unreachable', 3, 'gone');
    expect(classifyFailure(error)).toBe(error);
  });

  it('are 2 for invalid settings, naming all of them', () => {
    const error = classifyFailure(new SettingsError(['FERRY_PORT: too big', 'FERRY_HOST: empty']));
    expect(error).toMatchObject({ exitCode: 2, code: 'invalid_configuration' });
    expect(error.message).toContain('FERRY_PORT');
    expect(error.message).toContain('FERRY_HOST');
  });

  it('have one line with advice for a data directory in use', () => {
    const error = classifyFailure(new InstanceLockedError('/data', { pid: 42 }));
    expect(error).toMatchObject({ exitCode: 1, code: 'already_running' });
    expect(error.message).toBe(
      '/data is in use by another process (pid 42): stop it, or choose another directory with --data-dir',
    );
    expect(renderFailure(error, false).split('\n')).toHaveLength(1);
  });

  it('have advice for a database in use', () => {
    const error = classifyFailure(new DatabaseInUseError());
    expect(error).toMatchObject({ exitCode: 1, code: 'database_in_use' });
    expect(renderFailure(error, false)).toMatch(/DATABASE_URL\n +try: stop that relay/);
  });

  it('have one line with advice for a port in use', () => {
    const error = classifyFailure(errno('EADDRINUSE', { port: 8787 }));
    expect(error).toMatchObject({ exitCode: 1, code: 'port_in_use' });
    expect(error.message).toMatch(/^port 8787 is already in use: choose another with --port N/);
    expect(renderFailure(error, false).split('\n')).toHaveLength(1);
  });

  it('distinguish a forbidden port from a forbidden file', () => {
    expect(classifyFailure(errno('EACCES', { syscall: 'listen', port: 80 })).code).toBe('port_not_allowed');
    expect(classifyFailure(errno('EACCES', { syscall: 'open' })).code).toBe('failure');
  });

  it('are 1 for everything else, whether an Error or not', () => {
    expect(classifyFailure(new Error('boom'))).toMatchObject({ exitCode: 1, message: 'boom' });
    expect(classifyFailure('boom')).toMatchObject({ exitCode: 1, message: 'boom' });
  });
});
