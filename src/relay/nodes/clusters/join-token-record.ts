import { ApiProperty } from '../../platform/openapi/decorators.js';

/** One line each: joins, and then serves in the foreground. */
export class JoinCommandsRecord {
  @ApiProperty({ description: 'Linux and macOS, with nothing but Node.js.', example: '…' })
  readonly unix: string;
  @ApiProperty({ description: 'Windows, in PowerShell, with nothing but Node.js.', example: '…' })
  readonly windows: string;
  @ApiProperty({ description: 'Where Ferry is installed.', example: '…' })
  readonly ferry: string;
}

export class JoinTokenRecord {
  @ApiProperty({ description: 'The token itself, this once.', example: '…' })
  readonly join_token: string;
  @ApiProperty({ type: 'integer', description: 'Until when it can be used. Seconds since 1970.' })
  readonly expires_at: number;
  @ApiProperty()
  readonly cluster_id: string;
  @ApiProperty({
    description: 'To be run on the computer that shall become a node, where Ferry is installed.',
    example: 'ferry node join … --relay https://relay.example',
  })
  readonly command: string;
  @ApiProperty({
    description:
      'The same for a computer that has nothing but Node.js: on Linux and macOS, and in PowerShell on Windows.',
    example: '…',
  })
  readonly install_command: string;
  @ApiProperty({ description: 'In PowerShell on Windows.', example: '…' })
  readonly install_command_windows: string;
  @ApiProperty({ type: () => JoinCommandsRecord, description: 'The same, each followed by the start of the node.' })
  readonly commands: JoinCommandsRecord;
  @ApiProperty({
    enum: ['loopback', 'network'],
    description: '`loopback`: the address in the commands works on the computer of the relay only.',
  })
  readonly reachable: 'loopback' | 'network';
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'What to know before the commands are run on another computer, and how to change it.',
  })
  readonly warning: string | null;
}
