import { ApiProperty } from 'nest-swagger';
import { fingerprintOf } from '../../../kernel/fingerprint.js';
import { shownUserCode } from '../../accounts/device-login/device-authorization.js';
import type { PendingDeviceLogin } from '../../accounts/device-login/device-logins.store.js';
import { unixSeconds } from '../../platform/api/list-response.js';
import { roleNeeded, type Permission } from '../../platform/access/permissions.js';
import { roles, type Role } from '../../platform/access/principal.js';
import type { RequestingDevice } from '../device-codes/device-codes.store.js';
import { NodeRecord } from '../node-record.js';

/** A request that waits with a code: of a command line to be signed in, or of a computer to become a node. */
export class DeviceRecord {
  @ApiProperty({ enum: ['device'] })
  readonly object: 'device';
  @ApiProperty({ enum: ['login', 'node'], description: 'A device sign-in or a node enrolment.' })
  readonly type: 'login' | 'node';
  @ApiProperty()
  readonly user_code: string;
  @ApiProperty({ description: 'Name that the device reports.', example: 'desk' })
  readonly name: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'IP address of the request.', example: '203.0.113.7' })
  readonly ip: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'Node only.', example: 'linux' })
  readonly platform: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'Node only.', example: '0.1.0' })
  readonly agent_version: string | null;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Node only. Compare it with the words on the screen of the computer.',
    example: 'amber-canyon-delta',
  })
  readonly fingerprint: string | null;
  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    description: 'The fingerprint as separate words.',
    example: ['amber', 'canyon', 'delta'],
  })
  readonly fingerprint_words: readonly string[] | null;
  @ApiProperty({ enum: [...roles], description: 'Lowest role that may approve or deny it.' })
  readonly role_needed: Role;
  @ApiProperty({ type: 'integer', description: 'Expiry, in seconds since 1970.' })
  readonly expires: number;
}

export class DecidedDeviceRecord extends DeviceRecord {
  @ApiProperty({ enum: ['approved'] })
  readonly state: 'approved';
  @ApiProperty({ type: () => NodeRecord, nullable: true, description: 'The new node; null for a device sign-in.' })
  readonly node: NodeRecord | null;
}

export class DeniedDeviceRecord {
  @ApiProperty({ enum: ['device'] })
  readonly object: 'device';
  @ApiProperty({ enum: ['denied'] })
  readonly state: 'denied';
  @ApiProperty()
  readonly user_code: string;
}

export const NODE_PERMISSION: Permission = 'nodes:write';

export const loginDevice = (login: PendingDeviceLogin): DeviceRecord => ({
  object: 'device',
  type: 'login',
  user_code: shownUserCode(login.userCode),
  name: login.clientName,
  ip: login.clientAddress,
  platform: null,
  agent_version: null,
  fingerprint: null,
  fingerprint_words: null,
  role_needed: 'member',
  expires: unixSeconds(login.expiresAt),
});

export function nodeDevice(device: RequestingDevice): DeviceRecord {
  const fingerprint = fingerprintOf(device.publicKey);
  return {
    object: 'device',
    type: 'node',
    user_code: shownUserCode(device.userCode),
    name: device.nodeName,
    ip: device.ip,
    platform: device.platform,
    agent_version: device.agentVersion,
    fingerprint,
    fingerprint_words: fingerprint.split('-'),
    role_needed: roleNeeded(NODE_PERMISSION),
    expires: unixSeconds(device.expiresAt),
  };
}
