import { describe, expect, it, jest } from '@jest/globals';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { cliTokenIdOf, createAccountId, sessionIdOf } from '../../../kernel/ids.js';
import type { Principal } from '../../platform/access/principal.js';
import type { SessionsService } from '../../accounts/sessions/sessions.service.js';
import type { DeviceCodesService } from './device-codes.service.js';
import type { NodesService } from '../nodes.service.js';
import { NodeDeviceCodesController } from './device-code-approvals.controller.js';

const accountId = createAccountId();
const somebody = { accountId, userId: null, role: 'admin' } as const;
const browser: Principal = { ...somebody, credential: { kind: 'session', id: sessionIdOf('s'), name: 'browser' } };
const commandLine: Principal = {
  ...somebody,
  credential: { kind: 'cli-token', id: cliTokenIdOf('c'), name: 'laptop' },
};

const REACHED = new Error('the codes were asked');

function controller(recent: boolean): NodeDeviceCodesController {
  const approve = jest.fn<DeviceCodesService['approve']>().mockRejectedValue(REACHED);
  const requireRecentSignIn = jest.fn<SessionsService['requireRecentSignIn']>();
  if (recent) requireRecentSignIn.mockResolvedValue();
  else requireRecentSignIn.mockRejectedValue(new FerryError('recent_sign_in_needed'));
  return new NodeDeviceCodesController(
    { approve } as unknown as DeviceCodesService,
    {} as NodesService,
    { requireRecentSignIn } as unknown as SessionsService,
  );
}

describe('approval of a device code', () => {
  it('needs a recent sign-in in a browser', async () => {
    await expect(controller(false).approve(browser, 'BCDF-GHJK', {})).rejects.toMatchObject({
      code: 'recent_sign_in_needed',
    });
    await expect(controller(true).approve(browser, 'BCDF-GHJK', {})).rejects.toBe(REACHED);
  });

  it('needs none from a CLI token', async () => {
    await expect(controller(false).approve(commandLine, 'BCDF-GHJK', {})).rejects.toBe(REACHED);
  });
});
