import { AccessCard } from '../../layout/access-card';

export function StartPage() {
  return <AccessCard title="Signing in" />;
}
