import { Body, Header, Inject, Post } from '@nestjs/common';
import { powerShellInstallCommand, shellInstallCommand } from '../../installer/install-script.js';
import { Management } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { JoinTokensService } from '../../clusters/join-tokens.service.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { unixSeconds } from '../../api/list-answer.js';
import { ManagementController } from '../../api/management-controller.js';
import { CreateJoinTokenDto } from './create-join-token.dto.js';
import { ApiBody, ApiOperation, ApiProperty, ApiResponse } from '../../platform/openapi/decorators.js';
import { ApiErrors } from '../../platform/openapi/answers.js';

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
}

@ManagementController('join-tokens', 'Clusters')
export class JoinTokensController {
  constructor(
    private readonly joinTokens: JoinTokensService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Post()
  @Management('admin')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'createJoinToken',
    summary: 'Make a token that turns one computer into a node',
    description: 'Good for one computer and a quarter of an hour.',
  })
  @ApiBody({ type: CreateJoinTokenDto, required: false })
  @ApiResponse({
    status: 201,
    description: 'The token, shown this once, and commands that use it.',
    type: JoinTokenRecord,
  })
  @ApiErrors('cluster_not_found')
  async create(@CurrentPrincipal() principal: Principal, @Body() body: CreateJoinTokenDto): Promise<JoinTokenRecord> {
    const { text, clusterId, expiresAt } = await this.joinTokens.issue(
      principal.accountId,
      body.cluster_id ?? null,
      principal,
    );
    const { baseUrl } = this.config;
    return {
      join_token: text,
      expires_at: unixSeconds(expiresAt),
      cluster_id: clusterId,
      command: `ferry node join ${text} --relay ${baseUrl}`,
      install_command: shellInstallCommand(baseUrl, text),
      install_command_windows: powerShellInstallCommand(baseUrl, text),
    };
  }
}
