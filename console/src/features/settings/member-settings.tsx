import { PageTitle } from '../../layout/page-title';

export function MemberSettings() {
  return <PageTitle title="Members" />;
}
