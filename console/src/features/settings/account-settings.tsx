import { PageTitle } from '../../layout/page-title';

export function AccountSettings() {
  return <PageTitle title="Account" />;
}
