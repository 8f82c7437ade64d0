import type { Schemas } from './management-api.types';

export type Role = Schemas['WhoAmI']['role'];

/** Lowest first. */
const roles: readonly Role[] = ['member', 'admin', 'owner'];

/** Compares a person with another one, or with what an approval needs; what a person may do is a permission. */
export const hasRole = (role: Role | undefined, needed: Role): boolean =>
  role !== undefined && roles.indexOf(role) >= roles.indexOf(needed);

/** The roles that somebody of this role may give: nobody gives one above their own. */
export const rolesToGive = (role: Role | undefined): readonly Role[] => roles.filter((given) => hasRole(role, given));
