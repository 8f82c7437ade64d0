/** What a route asks of its caller. A route without one of these decorators is refused: nothing is open by oversight. */
import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { Role } from './principal.js';
import type { ApiKeyScope } from './caller.js';

export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'api-key'; readonly scope: ApiKeyScope }
  | { readonly kind: 'management'; readonly role: Role };

export const ACCESS = Symbol('ferry.access');

const access = (value: Access): CustomDecorator<symbol> => SetMetadata(ACCESS, value);

/** No credential: probes, and routes that check one of their own. */
export const Public = (): CustomDecorator<symbol> => access({ kind: 'public' });

/** An API key with the scope `inference`. */
export const Inference = (): CustomDecorator<symbol> => access({ kind: 'api-key', scope: 'inference' });

/** An API key with the scope `models:read`, which `inference` implies. */
export const ReadsModels = (): CustomDecorator<symbol> => access({ kind: 'api-key', scope: 'models:read' });

/**
 * A CLI token or a session, of somebody with at least this role. An API key never opens such a route, nor do those one of the others
 * (docs/reference/api-behaviour.md#surfaces).
 */
export const Management = (role: Role = 'member'): CustomDecorator<symbol> => access({ kind: 'management', role });
