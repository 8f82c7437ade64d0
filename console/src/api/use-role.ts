import { useQuery } from '@tanstack/react-query';
import { whoAmIQuery } from './queries';

/** Whether the person may change what belongs to the account. The relay decides; this hides buttons that it would refuse. */
export function useMayManage(): boolean {
  const { data } = useQuery(whoAmIQuery);
  return data?.role === 'admin' || data?.role === 'owner';
}
