import { ApiProperty } from '../../platform/openapi/decorators.js';

/** Commands of one line that join and then run the node in the foreground. */
export class JoinCommandsRecord {
  @ApiProperty({ description: 'For Linux and macOS; needs only Node.js.', example: '…' })
  readonly unix: string;
  @ApiProperty({ description: 'For Windows, in PowerShell; needs only Node.js.', example: '…' })
  readonly windows: string;
  @ApiProperty({ description: 'For a computer with Ferry installed.', example: '…' })
  readonly ferry: string;
}

export class JoinTokenRecord {
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
