import type { IncomingMessage } from 'node:http';
import { Body, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from 'nest-swagger';
import { parseUserCode, shownUserCode } from '../../accounts/device-login/device-authorization.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { ClientOrigins } from '../../platform/http/client-origin.js';
import { ApiErrors } from '../../platform/openapi/responses.js';
import { nodeRecord } from '../node-record.js';
import { ApproveAnyDeviceDto } from '../device-codes/approve-device.dto.js';
import { DecidedDeviceRecord, DeniedDeviceRecord, DeviceRecord, loginDevice, nodeDevice } from './device-record.js';
import { DevicesService, type WaitingDevice } from './devices.service.js';

const USER_CODE = { name: 'userCode', description: 'Case-insensitive, with or without the dash.' };

/** Routes of the page at `verification_uri`, for `ferry login` and `ferry node join --device-code`. */
@ManagementController('devices', 'Device sign-in')
export class DevicesController {
  constructor(
    private readonly devices: DevicesService,
    private readonly origins: ClientOrigins,
  ) {}

  /** The code of a node allows five lookups or attempts in total. */
  @Get(':userCode')
  @Requires('sign-ins:write')
  @ApiOperation({ operationId: 'showDevice', summary: 'Get a pending device sign-in or node enrolment' })
  @ApiParam(USER_CODE)
  @ApiResponse({
    status: 200,
    description: 'The pending request. Deny a request that is not yours.',
    type: DeviceRecord,
  })
  @ApiErrors('not_found')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Req() request: IncomingMessage,
    @Param('userCode') userCode: string,
  ): Promise<DeviceRecord> {
    return record(await this.devices.find(principal, userCode, this.origins.of(request)));
  }

  @Post(':userCode/approve')
  @HttpCode(200)
  @Requires('sign-ins:write')
  @ApiOperation({
    operationId: 'approveDevice',
    summary: 'Approve a device sign-in or node enrolment',
    description: 'A node enrolment needs the role `admin`.',
  })
  @ApiParam(USER_CODE)
  @ApiBody({ type: ApproveAnyDeviceDto, required: false })
  @ApiResponse({ status: 200, description: 'The approved request.', type: DecidedDeviceRecord })
  @ApiErrors('not_found', 'insufficient_role', 'recent_sign_in_needed', 'cluster_not_found')
  async approve(
    @CurrentPrincipal() principal: Principal,
    @Req() request: IncomingMessage,
    @Param('userCode') userCode: string,
    @Body() { cluster_id: clusterId, name, fingerprint }: ApproveAnyDeviceDto,
  ): Promise<DecidedDeviceRecord> {
    const approval = { clusterId: clusterId ?? null, name: name ?? null, fingerprint: fingerprint ?? undefined };
    const approved = await this.devices.approve(principal, userCode, approval, this.origins.of(request));
    const node = approved.type === 'node' ? nodeRecord(approved.node) : null;
    const device = record(approved);
    return { ...device, state: 'approved', node };
  }

  @Post(':userCode/deny')
  @HttpCode(200)
  @Requires('sign-ins:write')
  @ApiOperation({
    operationId: 'denyDevice',
    summary: 'Deny a device sign-in or node enrolment',
    description: 'The device is notified at once.',
  })
  @ApiParam(USER_CODE)
  @ApiResponse({ status: 200, description: 'The denied request.', type: DeniedDeviceRecord })
  @ApiErrors('not_found', 'insufficient_role')
  async deny(
    @CurrentPrincipal() principal: Principal,
    @Req() request: IncomingMessage,
    @Param('userCode') userCode: string,
  ): Promise<DeniedDeviceRecord> {
    await this.devices.deny(principal, userCode, this.origins.of(request));
    return { object: 'device', state: 'denied', user_code: shownUserCode(parseUserCode(userCode) ?? '') };
  }
}

const record = (waiting: WaitingDevice): DeviceRecord =>
  waiting.type === 'login' ? loginDevice(waiting.login) : nodeDevice(waiting.device);
