import { PageHead } from '../../layout/page-head';

export function RequestsPage() {
  return <PageHead title="Requests" />;
}
