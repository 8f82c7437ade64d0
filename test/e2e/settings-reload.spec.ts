// Own relay: its settings file changes.
/** SIGHUP makes a running relay read its settings file again. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { TestRelay } from '../support/process/test-relay.js';

describe('a relay that gets SIGHUP', () => {
  let folder: string;
  let relay: TestRelay;

  const write = (...lines: readonly string[]): Promise<void> =>
    writeFile(path.join(folder, 'ferry.toml'), ['[relay]', ...lines].join('\n'));
  const signUp = async (): Promise<unknown> =>
    ((await (await fetch(`${relay.baseUrl}/api/sign-in/methods`)).json()) as { sign_up: unknown }).sign_up;
  /** Of the log, since the last call. */
  let read = 0;
  const logged = async (message: string): Promise<object> => {
    const line = await eventually(`"${message}" is logged`, () =>
      relay.process.stderr
        .slice(read)
        .split('\n')
        .find((text) => text.includes(`"msg":"${message}"`)),
    );
    read = relay.process.stderr.indexOf(line, read) + line.length;
    return JSON.parse(line) as object;
  };

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ferry-reload-'));
    await write('sign_up = "closed"', 'queue_limit = 10');
    const env = {
      FERRY_CONFIG_FILE: path.join(folder, 'ferry.toml'),
      FERRY_QUEUE_LIMITS: '5',
      FERRY_USAGE_FLUSH_MS: '2s',
    };
    relay = await TestRelay.start({ env });
  }, 120_000);
  afterAll(async () => {
    await relay.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('a relay that gets SIGHUP has started with the file, and names a misspelt variable', async () => {
    expect(await signUp()).toBe(false);
    await logged('FERRY_QUEUE_LIMITS is not a setting. Did you mean FERRY_QUEUE_LIMIT?');
  });

  it('changes what can change, and says what needs a restart', async () => {
    await write('sign_up = "open"', 'queue_limit = 20');
    relay.process.child.kill('SIGHUP');
    expect(await logged('settings reloaded')).toMatchObject({ changed: ['FERRY_SIGN_UP'] });
    expect(await logged('changed settings need a restart')).toMatchObject({ settings: ['FERRY_QUEUE_LIMIT'] });
    expect(await signUp()).toBe(true);
  });

  it('goes on as before when the file is wrong', async () => {
    await write('sign_up = "sometimes"');
    relay.process.child.kill('SIGHUP');
    expect(await logged('settings not reloaded')).toMatchObject({
      problems: [expect.stringContaining('ferry.toml:2: sign_up="sometimes": must be one of open, invite, closed')],
    });
    expect(await signUp()).toBe(true);
  });

  it('changes the level of its log', async () => {
    await write('sign_up = "open"', 'log_level = "error"');
    relay.process.child.kill('SIGHUP');
    // The line itself is of the old level.
    expect(await logged('settings reloaded')).toMatchObject({ changed: ['FERRY_LOG_LEVEL'] });
    read = relay.process.stderr.length;
    await signUp();
    await write('sign_up = "open"', 'log_level = "info"');
    relay.process.child.kill('SIGHUP');
    await eventually('the level is back', async () => {
      await signUp();
      return relay.process.stderr.slice(read).includes('"route":"/api/sign-in/methods"');
    });
    expect(relay.process.stderr.slice(read)).not.toContain('settings reloaded');
  });
});
