import { useQuery } from '@tanstack/react-query';
import { whoAmIQuery } from '../../api/queries';
import { PageTitle } from '../../layout/page-title';
import { CliTokenList } from './cli-token-list';
import { InviteList } from './invite-list';
import { MemberList } from './member-list';
import { hasRole } from './settings-queries';

export function MemberSettings() {
  const { data: me } = useQuery(whoAmIQuery);
  return (
    <>
      <PageTitle title="Members" />
      <MemberList />
      {hasRole(me?.role, 'admin') && <InviteList />}
      {hasRole(me?.role, 'owner') && <CliTokenList />}
    </>
  );
}
