import { AccessCard } from '../../layout/access-card';

export function SignInPage() {
  return <AccessCard title="Sign in" />;
}
