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
        <section className={classes.section} aria-labelledby="you">
          <h2 className={classes.heading} id="you">
            You
          </h2>
          <dl className={`${shared.facts} ${classes.facts}`}>
            <dt>Name</dt>
            <dd>{me.user.name}</dd>
            <dt>E-mail</dt>
            <dd>{me.user.email}</dd>
            <dt>Role</dt>
            <dd>{roleNames[me.role]}</dd>
          </dl>
        </section>
      )}
      {me !== undefined && me.user !== null && (me.has_password ? <ChangePassword /> : <FirstPassword />)}
      <section className={classes.section} aria-labelledby="notifications">
        <h2 className={classes.heading} id="notifications">
          Notifications
        </h2>
        <p className={classes.about}>
          When a computer is gone, an engine stops, a disk is full or an operation fails, while a page of Ferry is open.
        </p>
        <NotificationSwitch />
      </section>
      <section className={classes.section} aria-labelledby="account">
        <h2 className={classes.heading} id="account">
          Account
        </h2>
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
      </section>
      {isOwner && <ExtensionList />}
    </>
  );
}
