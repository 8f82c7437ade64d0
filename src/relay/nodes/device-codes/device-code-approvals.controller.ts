import { Body, Get, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiProperty, ApiResponse } from 'nest-swagger';
import { fingerprintOf } from '../../../kernel/fingerprint.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { shownUserCode } from '../../accounts/device-login/device-authorization.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { DeviceCodesService } from './device-codes.service.js';
import type { RequestingDevice } from './device-codes.store.js';
import { NodesService } from '../nodes.service.js';
import { unixSeconds } from '../../platform/api/list-response.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { ApproveDeviceDto } from './approve-device.dto.js';
import { nodeRecord, NodeRecord } from '../node-record.js';
import { ApiErrors } from '../../platform/openapi/responses.js';

/** A pending node enrolment, for comparison with the screen of the computer before the approval. */
export class NodeDeviceRecord {
  @ApiProperty({ enum: ['node_device'] })
  readonly object: 'node_device';
  @ApiProperty()
  readonly user_code: string;
  @ApiProperty({ example: 'desk' })
  readonly name: string;
  @ApiProperty({ example: 'linux' })
  readonly platform: string;
  @ApiProperty({ example: '0.1.0' })
  readonly agent_version: string;
  @ApiProperty({ description: 'IP address of the request.' })
  readonly ip: string;
  @ApiProperty({
    description: 'Compare it with the words on the screen of the computer.',
    example: 'amber canyon delta',
  })
  readonly fingerprint: string;
  @ApiProperty({ type: 'integer', description: 'Expiry, in seconds since 1970.' })
  readonly expires: number;
  @ApiProperty({
    description: 'Warning to show before the approval.',
    example: 'Approve only a computer that is in front of you.',
  })
  readonly warning: string;
}

export class ApprovedNodeDeviceRecord extends NodeRecord {
  @ApiProperty({ type: () => NodeDeviceRecord })
  readonly device: NodeDeviceRecord;
}

const WARNING =
  'Approve only a computer that is in front of you. Its owner can read every prompt that is sent to it. ' +
  'It gets none until you confirm the fingerprint that its own screen shows.';

@ManagementController('nodes/device-codes', 'Nodes')
export class NodeDeviceCodesController {
  constructor(
    private readonly codes: DeviceCodesService,
    private readonly nodes: NodesService,
    private readonly sessions: SessionsService,
  ) {}

  @Get(':userCode')
  @Requires('nodes:write')
  @ApiOperation({ operationId: 'showNodeDevice', summary: 'Get a pending node enrolment' })
  @ApiParam({ name: 'userCode', description: 'The code that the computer shows.' })
  @ApiResponse({
    status: 200,
    description: 'The pending enrolment. Approve only a computer in front of you.',
    type: NodeDeviceRecord,
  })
  async look(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('userCode') userCode: string,
  ): Promise<NodeDeviceRecord> {
    return deviceRecord(await this.codes.look(accountId, userCode));
  }

  /**
   * The node is pending and gets no requests until `POST /api/nodes/{id}/confirm`. A session needs a recent sign-in: an unattended
   * browser must not allow the enrolment of an attacker's computer (docs/reference/security.md#nodes).
   */
  @Post(':userCode/approve')
  @Requires('nodes:write')
  @ApiOperation({
    operationId: 'approveNodeDevice',
    summary: 'Approve a node enrolment',
    description: 'The node is pending and gets no requests until its fingerprint is confirmed.',
  })
  @ApiParam({ name: 'userCode', description: 'The code that the computer shows.' })
  @ApiBody({ type: ApproveDeviceDto, required: false })
  @ApiResponse({ status: 201, description: 'The pending node.', type: ApprovedNodeDeviceRecord })
  @ApiErrors('cluster_not_found')
  async approve(
    @CurrentPrincipal() principal: Principal,
    @Param('userCode') userCode: string,
    @Body() { cluster_id: clusterId, name }: ApproveDeviceDto,
  ): Promise<ApprovedNodeDeviceRecord> {
    const { accountId, credential } = principal;
    if (credential.kind === 'session') await this.sessions.requireRecentSignIn(accountId, credential.id);
    const input = { clusterId: clusterId ?? null, name: name ?? null };
    const { nodeId, device } = await this.codes.approve(accountId, userCode, input, principal);
    const node = await this.nodes.find(accountId, nodeId);
    if (node === undefined) throw new FerryError('not_found', 'The node was deleted meanwhile.');
    return { ...nodeRecord(node), device: deviceRecord(device) };
  }
}

const deviceRecord = (device: RequestingDevice): NodeDeviceRecord => ({
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
