import type { IncomingMessage } from 'node:http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { permits, roleNeeded, type Permission } from '../platform/access/permissions.js';
import { rememberOrigin } from '../accounts/audit/request-origin.js';
import { hasScope, type ApiKeyScope, type Caller } from '../platform/access/caller.js';
import { ExtensionState } from '../extensions/extension-state.js';
import { withJsonBody } from '../extensions/json-errors/json-error.js';
import { apiKeyHeader } from '../extensions/x-api-key/api-key-header.js';
import { KeyVerifier } from '../keys/key-verifier.js';
import { ClientOrigins } from '../platform/http/client-origin.js';
import { contextOf } from '../platform/http/request-context.js';
import { ACCESS, type Access } from '../platform/access/access.js';
import { bearerCredential } from './bearer-credential.js';
import { rememberCaller, rememberPrincipal } from '../platform/access/request-principal.js';
import { PrincipalVerifier } from './principal-verifier.js';

const UNAUTHORIZED = 401;

/**
 * Guards every route of the relay by its headers only: the body is still unread when a caller is refused
 * (docs/reference/request-lifecycle.md#phases).
 */
@Injectable()
export class AccessGuard implements CanActivate {
  /** Per handler: reading metadata costs more than the rest of this guard. */
  private readonly accesses = new Map<object, { readonly of: object; readonly access: Access }>();

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyVerifier,
    private readonly principals: PrincipalVerifier,
    private readonly origins: ClientOrigins,
    private readonly extensions: ExtensionState,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return this.admit(context.getArgByIndex<IncomingMessage>(0), this.accessOf(context));
  }

  /**
   * Returns a promise only when a look-up is needed: nearly every inference request has a cached key.
   * @throws FerryError, or rejects with it, when the caller is refused; the result is always true
   */
  admit(request: IncomingMessage, access: Access): boolean | Promise<boolean> {
    switch (access.kind) {
      case 'public':
        return true;
      case 'api-key':
        return this.admitKey(request, access.scope);
      case 'management':
        return this.admitPrincipal(request, access.permission);
      default:
        return access satisfies never;
    }
  }

  private accessOf(context: ExecutionContext): Access {
    const handler = context.getHandler();
    const known = this.accesses.get(handler);
    // An inherited handler may have another access level in the subclass.
    if (known?.of === context.getClass()) return known.access;
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [handler, context.getClass()]);
    if (access === undefined || context.getType() !== 'http') {
      throw new Error(`${context.getClass().name}.${handler.name} has no access decorator`);
    }
    this.accesses.set(handler, { of: context.getClass(), access });
    return access;
  }

  private admitKey(request: IncomingMessage, scope: ApiKeyScope): boolean | Promise<boolean> {
    let credential: string;
    try {
      credential = bearerCredential(request);
    } catch (error) {
      return this.admitKeyHeader(request, scope, error);
    }
    const caller = this.keys.known(credential, request.socket);
    if (caller === undefined) return this.verifyKey(request, credential, scope);
    this.admitCaller(request, caller, scope);
    return true;
  }

  private async verifyKey(request: IncomingMessage, credential: string, scope: ApiKeyScope): Promise<boolean> {
    const caller = await this.keys.verify(credential).catch((error: unknown) => {
      throw this.refusal(error);
    });
    this.admitCaller(request, caller, scope);
    return true;
  }

  /**
   * A request without a usable bearer, as the extension `x-api-key` allows.
   * @param refusal of a request whose account has it off, and of one for which no account is known unless all have it on
   */
  private admitKeyHeader(request: IncomingMessage, scope: ApiKeyScope, refusal: unknown): Promise<boolean> {
    const key = this.extensions.isServed('x-api-key') ? apiKeyHeader(request) : undefined;
    if (key === undefined) throw this.refusal(refusal);
    return this.verifyKeyHeader(request, key, scope, refusal);
  }

  private async verifyKeyHeader(
    request: IncomingMessage,
    key: string,
    scope: ApiKeyScope,
    refusal: unknown,
  ): Promise<boolean> {
    const caller = await this.keys.verify(key).catch((error: unknown) => {
      const isRefused = error instanceof FerryError && error.status === UNAUTHORIZED;
      throw this.refusal(isRefused && !this.extensions.isOn('x-api-key', undefined) ? refusal : error);
    });
    if (!this.extensions.isOn('x-api-key', caller.accountId)) throw this.refusal(refusal);
    this.admitCaller(request, caller, scope);
    return true;
  }

  /** No account is known yet. */
  private refusal(error: unknown): unknown {
    return error instanceof FerryError ? withJsonBody(error, this.extensions, undefined) : error;
  }

  private admitCaller(request: IncomingMessage, caller: Caller, scope: ApiKeyScope): void {
    const known = contextOf(request);
    known.accountId = caller.accountId;
    known.apiKeyId = caller.keyPublicId;
    if (!hasScope(caller, scope)) throw new FerryError('insufficient_scope');
    rememberCaller(request, caller);
  }

  private async admitPrincipal(request: IncomingMessage, permission: Permission): Promise<boolean> {
    const principal = await this.principals.verify(request);
    contextOf(request).accountId = principal.accountId;
    if (!permits(principal.role, permission)) {
      const needed = roleNeeded(permission);
      throw new FerryError('insufficient_role', `This needs the role ${needed}; yours is ${principal.role}.`);
    }
    rememberPrincipal(request, principal);
    rememberOrigin(principal, this.origins.of(request));
    return true;
  }
}
