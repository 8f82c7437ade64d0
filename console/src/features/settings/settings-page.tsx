import { Outlet } from '@tanstack/react-router';
import { PageHead } from '../../layout/page-head';
import { SectionTabs } from '../../layout/section-tabs';

const sections = [
  { to: '/settings/account', label: 'Account' },
  { to: '/settings/members', label: 'Members' },
  { to: '/settings/sessions', label: 'Sessions' },
  { to: '/settings/limits', label: 'Limits' },
  { to: '/settings/audit', label: 'Audit trail' },
] as const;

export function SettingsPage() {
  return (
    <>
      <PageHead title="Settings" />
      <SectionTabs label="Settings" sections={sections} />
      <Outlet />
    </>
  );
}
