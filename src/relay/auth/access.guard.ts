import type { IncomingMessage } from 'node:http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { hasRole, type Role } from '../accounts/manager.js';
import { rememberOrigin } from '../audit/request-origin.js';
import { hasScope, type ApiKeyScope } from '../keys/caller.js';
import { KeyVerifier } from '../keys/key-verifier.js';
import { ClientOrigins } from '../platform/http/client-origin.js';
import { contextOf } from '../platform/http/request-context.js';
import { ACCESS, type Access } from './access.js';
import { bearerCredential } from './bearer-credential.js';
import { rememberCaller, rememberManager } from './identities.js';
import { ManagerVerifier } from './manager-verifier.js';

/** Stands before every route of the relay and reads nothing but headers: the body is still unread when a caller is refused (design §5). */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyVerifier,
    private readonly managers: ManagerVerifier,
    private readonly origins: ClientOrigins,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === undefined || context.getType() !== 'http') {
      throw new Error(`${context.getClass().name}.${context.getHandler().name} says nothing about who may call it`);
    }
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    switch (access.kind) {
      case 'public':
        return true;
      case 'api-key':
        await this.admitCaller(request, access.scope);
        return true;
      case 'management':
        await this.admitManager(request, access.role);
        return true;
      default:
        return access satisfies never;
    }
  }

  private async admitCaller(request: IncomingMessage, scope: ApiKeyScope): Promise<void> {
    const caller = await this.keys.verify(bearerCredential(request));
    const known = contextOf(request);
    known.accountId = caller.accountId;
    known.apiKeyId = caller.keyPublicId;
    if (!hasScope(caller, scope)) throw new FerryError('insufficient_scope');
    rememberCaller(request, caller);
  }

  private async admitManager(request: IncomingMessage, role: Role): Promise<void> {
    const manager = await this.managers.verify(request);
    contextOf(request).accountId = manager.accountId;
    if (!hasRole(manager.role, role)) throw new FerryError('insufficient_role');
    rememberManager(request, manager);
    rememberOrigin(manager, this.origins.of(request));
  }
}
