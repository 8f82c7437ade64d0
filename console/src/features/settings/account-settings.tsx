import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { whoAmIQuery } from '../../api/queries';
import { usePermission } from '../../api/use-permission';
import { CopyId } from '../../components/copy-id';
import { ErrorPanel } from '../../components/error-panel';
import { exactTime } from '../../components/format';
import { NotificationSwitch } from '../../components/notification-switch';
import { PageTitle } from '../../layout/page-title';
import { AccountName } from './account-name';
import { ExtensionList } from './extension-list';
import { ChangePassword } from './change-password';
import { FirstPassword } from './first-password';
import { SettingsSection } from './settings-section';
import classes from './settings.module.css';
import { accountQuery, roleNames } from './settings-queries';
import shared from '../../components/form.module.css';

export function AccountSettings() {
  const account = useQuery(accountQuery);
  const { data: me } = useQuery(whoAmIQuery);
  const isOwner = usePermission('account:write');
  const record = account.data;
  return (
    <>
      <PageTitle title="Account" />
      {account.error !== null && (
        <ErrorPanel
          error={account.error}
          title="The account could not be loaded"
          onRetry={() => void account.refetch()}
        />
      )}
      {me !== undefined && me.user !== null && (
        <SettingsSection id="you" title="You">
          <dl className={`${shared.facts} ${classes.facts}`}>
            {me.user.name !== me.user.email && (
              <>
                <dt>Name</dt>
                <dd>{me.user.name}</dd>
              </>
            )}
            <dt>E-mail</dt>
            <dd>{me.user.email}</dd>
            <dt>Role</dt>
            <dd>{roleNames[me.role]}</dd>
          </dl>
        </SettingsSection>
      )}
      {me !== undefined && me.user !== null && (me.has_password ? <ChangePassword /> : <FirstPassword />)}
      <SettingsSection
        id="notifications"
        title="Notifications"
        about="In this browser, while a page of Ferry is open: when a computer goes offline, an engine stops, a disk is full, an operation fails or a key is about to expire."
      >
        <NotificationSwitch />
      </SettingsSection>
      <SettingsSection id="account" title="Account">
        {record === undefined ? (
          account.error === null && <Skeleton height={96} role="status" aria-label="Loading" />
        ) : (
          <>
            <AccountName key={record.name} name={record.name} mayChange={isOwner} />
            <dl className={`${shared.facts} ${classes.facts}`} style={{ marginTop: 16 }}>
              <dt>Id</dt>
              <dd>
                <CopyId id={record.account_id} label="account id" whole />
              </dd>
              <dt>Since</dt>
              <dd>{exactTime(record.created)}</dd>
            </dl>
          </>
        )}
      </SettingsSection>
      {isOwner && <ExtensionList />}
    </>
  );
}
