import { AccessCard } from '../../layout/access-card';

export function InvitePage() {
  return <AccessCard title="Invite" />;
}
