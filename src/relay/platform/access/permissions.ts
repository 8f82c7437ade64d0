import { roles, type Role } from './principal.js';

/**
 * What each role adds to the roles below it. A route names the permission that it needs (`@Requires`), and `GET /api/whoami` lists those of
 * its caller. `write` of sessions, keys and sign-ins is of the caller's own; `keys:manage` and `requests:manage` are of everybody's.
 */
const added = {
  member: [
    'account:read',
    'chat:write',
    'clusters:read',
    'keys:read',
    'keys:write',
    'models:read',
    'nodes:read',
    'operations:read',
    'sessions:write',
    'sign-ins:write',
    'usage:read',
    'users:read',
  ],
  admin: [
    'audit:read',
    'catalog:read',
    'clusters:write',
    'invites:write',
    'keys:manage',
    'nodes:write',
    'operations:write',
    'requests:manage',
    'users:write',
  ],
  owner: ['account:write', 'cli-tokens:write', 'console-links:write', 'users:erase'],
} as const satisfies Readonly<Record<Role, readonly string[]>>;

export type Permission = (typeof added)[Role][number];

/** Lowest role first, as `roles`. */
const ranks = new Map<Permission, number>(
  roles.flatMap((role, rank) => added[role].map((permission): [Permission, number] => [permission, rank])),
);

const rankOf = (permission: Permission): number => ranks.get(permission) ?? roles.length;

export const permits = (role: Role, permission: Permission): boolean => roles.indexOf(role) >= rankOf(permission);

/** All permissions of a role, those of the lowest role first. */
export const permissionsOf = (role: Role): readonly Permission[] =>
  [...ranks.keys()].filter((permission) => permits(role, permission));

/** The lowest role that has the permission. */
export const roleNeeded = (permission: Permission): Role => roles[rankOf(permission)] ?? 'owner';
