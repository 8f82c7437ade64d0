import { useQuery } from '@tanstack/react-query';
import type { Schemas } from './management-api.types';
import { whoAmIQuery } from './queries';

export type Permission = Schemas['WhoAmI']['permissions'][number];

/** False for a caller who is not known yet. */
export const permits = (caller: Schemas['WhoAmI'] | undefined, permission: Permission): boolean =>
  caller?.permissions.includes(permission) ?? false;

/** Whether the person may do this. The relay decides; the website hides what it would refuse. False until it is known. */
export function usePermission(permission: Permission): boolean {
  const { data } = useQuery(whoAmIQuery);
  return permits(data, permission);
}
