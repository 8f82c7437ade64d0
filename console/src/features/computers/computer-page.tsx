import { PageHead } from '../../layout/page-head';

export function ComputerPage() {
  return <PageHead title="Computer" />;
}
