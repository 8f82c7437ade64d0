import { Body, Get, Param, Post } from '@nestjs/common';
import { fingerprintOf } from '../../../kernel/fingerprint.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { shownUserCode } from '../../accounts/device-login/user-code.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { Management } from '../../platform/access/access.js';
import { CurrentManager, type Manager } from '../../platform/access/identities.js';
import { DeviceCodesService } from './device-codes.service.js';
import type { AskingDevice } from './device-codes.store.js';
import { NodesService } from '../nodes.service.js';
import { unixSeconds } from '../../api/list-answer.js';
import { ManagementController } from '../../api/management-controller.js';
import { ApproveDeviceDto } from './approve-device.dto.js';
import { nodeRecord, type NodeRecord } from '../node-record.js';

/** A computer that asks to become a node. To be compared with what its own screen shows before anything is approved. */
interface DeviceRecord {
  readonly object: 'node_device';
  readonly user_code: string;
  readonly name: string;
  readonly platform: string;
  readonly agent_version: string;
  readonly ip: string;
  readonly fingerprint: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly warning: string;
}

interface ApprovedDevice extends NodeRecord {
  readonly device: DeviceRecord;
}

const WARNING =
  'Approve only a computer that you have before you. Whoever owns it will read every prompt that is sent to it. ' +
  'It gets none until you confirm the fingerprint that its own screen shows.';

@ManagementController('nodes/device-codes')
export class NodeDeviceCodesController {
  constructor(
    private readonly codes: DeviceCodesService,
    private readonly nodes: NodesService,
    private readonly sessions: SessionsService,
  ) {}

  @Get(':userCode')
  @Management('admin')
  async look(@CurrentManager() { accountId }: Manager, @Param('userCode') userCode: string): Promise<DeviceRecord> {
    return deviceRecord(await this.codes.look(accountId, userCode));
  }

  /**
   * The node is pending from now on, and gets no prompt until `POST /api/nodes/{id}/confirm`. A session must be a recent one: a screen
   * that somebody left unlocked must not let strangers' computers in (docs/reference/security.md#nodes).
   */
  @Post(':userCode/approve')
  @Management('admin')
  async approve(
    @CurrentManager() manager: Manager,
    @Param('userCode') userCode: string,
    @Body() { cluster_id: clusterId, name }: ApproveDeviceDto,
  ): Promise<ApprovedDevice> {
    const { accountId, credential } = manager;
    if (credential.kind === 'session') await this.sessions.requireRecentSignIn(accountId, credential.id);
    const wish = { clusterId: clusterId ?? null, name: name ?? null };
    const { nodeId, device } = await this.codes.approve(accountId, userCode, wish, manager);
    const node = await this.nodes.find(accountId, nodeId);
    if (node === undefined) throw new FerryError('not_found', 'The node was deleted meanwhile.');
    return { ...nodeRecord(node), device: deviceRecord(device) };
  }
}

const deviceRecord = (device: AskingDevice): DeviceRecord => ({
  object: 'node_device',
  user_code: shownUserCode(device.userCode),
  name: device.nodeName,
  platform: device.platform,
  agent_version: device.agentVersion,
  ip: device.ip,
  fingerprint: fingerprintOf(device.publicKey),
  expires: unixSeconds(device.expiresAt),
  warning: WARNING,
});
