import { Body, Header, Inject, Post } from '@nestjs/common';
import { powerShellInstallCommand, shellInstallCommand } from '../../installer/install-script.js';
import { Management } from '../../platform/access/access.js';
import { CurrentManager, type Manager } from '../../platform/access/identities.js';
import { JoinTokensService } from '../../clusters/join-tokens.service.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { unixSeconds } from '../../api/list-answer.js';
import { ManagementController } from '../../api/management-controller.js';
import { CreateJoinTokenDto } from './create-join-token.dto.js';

interface JoinTokenAnswer {
  /** The token itself, this once. */
  readonly join_token: string;
  /** Seconds since 1970. */
  readonly expires_at: number;
  readonly cluster_id: string;
  /** To be run on the computer that shall become a node, where Ferry is installed. */
  readonly command: string;
  /** The same for a computer that has nothing but Node.js: on Linux and macOS, and in PowerShell on Windows. */
  readonly install_command: string;
  readonly install_command_windows: string;
}

@ManagementController('join-tokens')
export class JoinTokensController {
  constructor(
    private readonly joinTokens: JoinTokensService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Post()
  @Management('admin')
  @Header('cache-control', 'no-store')
  async create(@CurrentManager() manager: Manager, @Body() body: CreateJoinTokenDto): Promise<JoinTokenAnswer> {
    const { text, clusterId, expiresAt } = await this.joinTokens.issue(
      manager.accountId,
      body.cluster_id ?? null,
      manager,
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
