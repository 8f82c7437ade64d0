import { AccessCard } from '../../layout/access-card';

export function ResetPage() {
  return <AccessCard title="New password" />;
}
