import { ApiProperty } from 'nest-swagger';
import { unixSeconds } from '../platform/api/list-response.js';
import type { OpenJoinToken } from './join-tokens.store.js';

/** Commands of one line that join and then run the node in the foreground. */
export class JoinCommandsRecord {
  @ApiProperty({ description: 'For Linux and macOS; needs only Node.js.', example: '…' })
  readonly unix: string;
  @ApiProperty({ description: 'For Windows, in PowerShell; needs only Node.js.', example: '…' })
  readonly windows: string;
  @ApiProperty({ description: 'For a computer with Ferry installed.', example: '…' })
  readonly ferry: string;
}

export class OpenJoinTokenRecord {
  @ApiProperty({ enum: ['join_token'] })
  readonly object: 'join_token';
  @ApiProperty({ example: 'join_5d0c7be1f2a34958b6c7d8e9f0a1b2c3' })
  readonly join_token_id: string;
  @ApiProperty({ example: 'cl_8a1f0c2e4b6d4f7091a3b5c7d9e1f203' })
  readonly cluster_id: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Id of the user who created it; null for the token of the relay.',
    example: 'usr_5d0c7be1f2a34958b6c7d8e9f0a1b2c3',
  })
  readonly created_by: string | null;
  @ApiProperty({ type: 'integer', description: 'Creation time, in seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ type: 'integer', description: 'Expiry, in seconds since 1970.' })
  readonly expires: number;
}

export const openJoinTokenRecord = (token: OpenJoinToken): OpenJoinTokenRecord => ({
  object: 'join_token',
  join_token_id: token.id,
  cluster_id: token.clusterId,
  created_by: token.createdBy,
  created: unixSeconds(token.createdAt),
  expires: unixSeconds(token.expiresAt),
});

export class JoinTokenRecord {
  @ApiProperty({ example: 'join_5d0c7be1f2a34958b6c7d8e9f0a1b2c3' })
  readonly join_token_id: string;
  @ApiProperty({ description: 'The token. It cannot be retrieved again.', example: '…' })
  readonly join_token: string;
  @ApiProperty({ type: 'integer', description: 'Expiry, in seconds since 1970.' })
  readonly expires_at: number;
  @ApiProperty()
  readonly cluster_id: string;
  @ApiProperty({
    description: 'Command for the new node, with Ferry installed.',
    example: 'ferry node join … --relay https://relay.example',
  })
  readonly command: string;
  @ApiProperty({
    description: 'Command for Linux and macOS without Ferry; needs only Node.js.',
    example: '…',
  })
  readonly install_command: string;
  @ApiProperty({ description: 'Command for Windows without Ferry, in PowerShell; needs only Node.js.', example: '…' })
  readonly install_command_windows: string;
  @ApiProperty({
    type: () => JoinCommandsRecord,
    description: 'The same commands, each of which also starts the node.',
  })
  readonly commands: JoinCommandsRecord;
  @ApiProperty({
    enum: ['loopback', 'network'],
    description: '`loopback` if the address in the commands works only on the computer of the relay.',
  })
  readonly reachable: 'loopback' | 'network';
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Why the commands may not work on another computer, and what to change.',
  })
  readonly warning: string | null;
}
