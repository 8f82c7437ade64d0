/** Access required by a route. A route without one of these decorators is refused, so none is public by mistake. */
import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { Permission } from './permissions.js';
import type { ApiKeyScope } from './caller.js';

export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'api-key'; readonly scope: ApiKeyScope }
  | { readonly kind: 'management'; readonly permission: Permission };

export const ACCESS = Symbol('ferry.access');

const access = (value: Access): CustomDecorator<symbol> => SetMetadata(ACCESS, value);

/** No credential: probes, and routes that verify one themselves. */
export const Public = (): CustomDecorator<symbol> => access({ kind: 'public' });

/** An API key with the scope `inference`. The routes that need it are not served by Nest and have no decorator. */
export const inferenceAccess: Access = { kind: 'api-key', scope: 'inference' };

/** An API key with the scope of such a route, or with `inference`. */
export const accessTo = (scope: ApiKeyScope): Access => ({ kind: 'api-key', scope });

/** An API key with the scope `models:read`, which `inference` implies. */
export const ReadsModels = (): CustomDecorator<symbol> => access({ kind: 'api-key', scope: 'models:read' });

/**
 * A CLI token or a session whose role has this permission. API keys are refused here, and these credentials elsewhere
 * (docs/reference/api-behaviour.md#surfaces).
 */
export const Requires = (permission: Permission): CustomDecorator<symbol> => access({ kind: 'management', permission });
