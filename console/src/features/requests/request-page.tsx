import { PageHead } from '../../layout/page-head';

export function RequestPage() {
  return <PageHead title="Request" />;
}
