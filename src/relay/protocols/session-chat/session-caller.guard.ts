import type { IncomingMessage } from 'node:http';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { ApiKeyId } from '../../../kernel/ids.js';
import type { KeyLimits } from '../../platform/access/caller.js';
import { principalOf, rememberCaller, type Principal } from '../../platform/access/request-principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';

/** Makes the signed-in person the caller of an inference request, with limits as a key would have. */
@Injectable()
export class SessionCallerGuard implements CanActivate {
  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.getArgByIndex<IncomingMessage>(0);
    const principal = principalOf(request);
    if (principal === undefined) throw new Error('the route has no decorator that admits users');
    rememberCaller(request, {
      accountId: principal.accountId,
      keyPublicId: callerIdOf(principal),
      scopes: ['inference'],
      clusterIds: null,
      limits: this.limits(),
    });
    return true;
  }

  /** Of now: a reload may change them. */
  private limits(): KeyLimits {
    const { settings } = this.config;
    return {
      requestsPerMinute: settings.chatRequestsPerUserPerMinute || null,
      tokensPerMinute: settings.chatTokensPerUserPerMinute || null,
      concurrency: settings.chatConcurrencyPerUser || null,
    };
  }
}

/** In the place of a key's id, in limits, usage and the request log: the person, or the credential where it belongs to nobody. */
const callerIdOf = ({ userId, credential }: Principal): ApiKeyId => (userId ?? credential.id) as string as ApiKeyId;
