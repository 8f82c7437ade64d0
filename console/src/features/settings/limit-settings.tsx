import { PageTitle } from '../../layout/page-title';

export function LimitSettings() {
  return <PageTitle title="Limits" />;
}
