import { PageHead } from '../../layout/page-head';

export function KeysPage() {
  return <PageHead title="Keys" />;
}
