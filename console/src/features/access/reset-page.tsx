import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { whoAmIQuery } from '../../api/queries';
import { ChangePasswordForm } from '../../components/change-password-form';
import { ErrorPanel } from '../../components/error-panel';
import { RelativeTime } from '../../components/relative-time';
import { AccessCard } from '../../layout/access-card';
import { useEnter } from './use-enter';

/** Whoever signed in with a password that somebody made for them chooses their own before anything else. */
export function ResetPage() {
  const { data: me, error, refetch } = useQuery(whoAmIQuery);
  const enter = useEnter();
  const until = me?.user?.password_expires ?? null;
  return (
    <AccessCard
      title="Choose a new password"
      installation={me?.service.name}
      about={
        until !== null && (
          <>
            You signed in with a temporary password, which ends <RelativeTime at={until} />. Type it once more, then one
            of your own: with that you sign in from now on.
          </>
        )
      }
    >
      {me !== undefined && (
        <ChangePasswordForm
          email={me.user?.email ?? ''}
          label={until === null ? 'Current password' : 'Temporary password'}
          wrong="This is not the password that you signed in with."
          focus
          action="Save and continue"
          onChanged={(changed) => enter(changed)}
        />
      )}
      {me === undefined && error === null && <Skeleton height={120} role="status" aria-label="Loading" />}
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
    </AccessCard>
  );
}
