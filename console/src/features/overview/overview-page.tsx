import { PageHead } from '../../layout/page-head';

export function OverviewPage() {
  return <PageHead title="Overview" />;
}
