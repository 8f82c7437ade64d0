import { Get, Inject } from '@nestjs/common';
import { CurrentManager, type Manager } from '../auth/identities.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ManagementController } from './management-controller.js';

interface WhoAmI {
  readonly account_id: string;
  readonly credential: { readonly kind: 'cli_token'; readonly id: string; readonly name: string };
  readonly service: { readonly name: string; readonly version: string };
}

@ManagementController('whoami')
export class WhoAmIController {
  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

  @Get()
  whoAmI(@CurrentManager() { accountId, credential: { id, name } }: Manager): WhoAmI {
    const { serviceName, version } = this.config;
    return {
      account_id: accountId,
      credential: { kind: 'cli_token', id, name },
      service: { name: serviceName, version },
    };
  }
}
