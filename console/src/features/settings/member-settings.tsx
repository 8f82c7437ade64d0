import { usePermission } from '../../api/use-permission';
import { PageTitle } from '../../layout/page-title';
import { CliTokenList } from './cli-token-list';
import { InviteList } from './invite-list';
import { MemberList } from './member-list';

export function MemberSettings() {
  const mayInvite = usePermission('invites:write');
  const seesTokens = usePermission('cli-tokens:write');
  return (
    <>
      <PageTitle title="Members" />
      <MemberList />
      {mayInvite && <InviteList />}
      {seesTokens && <CliTokenList />}
    </>
  );
}
