/** Carries the sender of a request from the guard to the parameters of controllers. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { Principal } from './principal.js';
import type { Caller } from './caller.js';

export type { Caller, Principal };

/** On the request itself: an entry in a WeakMap costs every inference request far more, most of it in garbage collection. */
const callerKey = Symbol('ferry.caller');
type WithCaller = IncomingMessage & { [callerKey]?: Caller };

const managers = new WeakMap<IncomingMessage, Principal>();

export const rememberCaller = (request: IncomingMessage, caller: Caller): void => {
  (request as WithCaller)[callerKey] = caller;
};
export const rememberPrincipal = (request: IncomingMessage, principal: Principal): void =>
  void managers.set(request, principal);

/** Undefined on routes without sign-in. */
export const principalOf = (request: IncomingMessage): Principal | undefined => managers.get(request);

export const callerOf = (request: IncomingMessage): Caller => known((request as WithCaller)[callerKey]);

/** The caller of a route that is marked `@ReadsModels()`. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<IncomingMessage>()),
);

/** The principal of a route that is marked `@Requires()`. */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  known(managers.get(context.switchToHttp().getRequest<IncomingMessage>())),
);

function known<Identity>(identity: Identity | undefined): Identity {
  if (identity === undefined)
    throw new Error('the route asks for an identity that its access decorator does not establish');
  return identity;
}
