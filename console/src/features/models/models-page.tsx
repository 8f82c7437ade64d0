import { PageHead } from '../../layout/page-head';

export function ModelsPage() {
  return <PageHead title="Models" />;
}
