import { PageHead } from '../../layout/page-head';

export function UsagePage() {
  return <PageHead title="Usage" />;
}
