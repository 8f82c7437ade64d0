import { PageHead } from '../../layout/page-head';

export function ComputersPage() {
  return <PageHead title="Computers" />;
}
