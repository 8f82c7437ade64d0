import { PageTitle } from '../../layout/page-title';

export function AuditTrail() {
  return <PageTitle title="Audit" />;
}
