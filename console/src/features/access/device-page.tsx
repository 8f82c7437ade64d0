import { AccessCard } from '../../layout/access-card';

export function DevicePage() {
  return <AccessCard title="Approve a device" />;
}
