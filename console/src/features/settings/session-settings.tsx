import { PageTitle } from '../../layout/page-title';

export function SessionSettings() {
  return <PageTitle title="Sessions" />;
}
