import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';

let line: CommandLine;
beforeEach(async () => {
  line = await CommandLine.start();
});
afterEach(() => line.stop());

it.each([
  ['of a service that is one’s own', 'ada', [], '--user is for services of the system'],
  ['with a line break, which would be a line of the unit', 'ada\nExecStartPre=/bin/evil', ['--system'], 'not the name'],
  ['with a blank', 'ada lovelace', ['--system'], '--user is not the name of a user'],
])('refuses --user %s', async (_why, user, scope, message) => {
  const { code, stderr } = await line.run(['service', 'install', 'up', ...scope, '--user', user]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
