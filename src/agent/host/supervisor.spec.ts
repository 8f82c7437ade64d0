import { expect, it } from '@jest/globals';
import { supervisorOf } from './supervisor.js';

it.each([
  ['a unit of the user', '0::/user.slice/user-1000.slice/user@1000.service/app.slice/ferry-node.service\n', 'systemd'],
  ['a unit of the system', '0::/system.slice/ferry-up.service\n', 'systemd'],
  [
    'a terminal of the desktop',
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1.scope\n',
    undefined,
  ],
  ['a container', '0::/\n', undefined],
  ['another system', '', undefined],
])('the supervisor in %s is told by its control group', (_place, cgroup, supervisor) => {
  expect(supervisorOf({ env: { INVOCATION_ID: 'inherited' }, cgroup })).toBe(supervisor);
});

it.each([
  ['dev.ferry.node', 'launchd'],
  ['application.com.apple.Terminal.1152921500311', undefined],
  ['0', undefined],
])('the supervisor of a job of launchd called %s is %s', (name, supervisor) => {
  expect(supervisorOf({ env: { XPC_SERVICE_NAME: name }, cgroup: '' })).toBe(supervisor);
});
