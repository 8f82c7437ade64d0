import { useMutation } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { CodeBlock } from '../../components/code-block';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { SecretDialog } from '../../components/secret-dialog';
import { usersQuery, type User } from './settings-queries';

interface ResetPasswordProps {
  readonly user: User;
  readonly onClose: () => void;
}

/** A temporary password, shown once. */
export function ResetPassword({ user, onClose }: ResetPasswordProps) {
  const reset = useMutation({
    mutationFn: () =>
      bodyOf(api.POST('/api/users/{userId}/reset-password', { params: { path: { userId: user.user_id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
  if (reset.data === undefined) {
    return (
      <ConfirmDialog
        opened
        title={`New password for ${user.name}?`}
        action="Make a new password"
        pending={reset.isPending}
        error={reset.error}
        onConfirm={() => reset.mutate()}
        onClose={onClose}
      >
        <p>The old one stops working, and they are signed out everywhere.</p>
      </ConfirmDialog>
    );
  }
  const password = reset.data.temporary_password;
  return (
    <SecretDialog title={`New password for ${user.name}`} secret={password} kind="password" onClose={onClose}>
      {(onCopied) => (
        <>
          <p>
            Hand it over to {user.email}. It is shown this once and good for an hour; at the sign-in they choose their
            own.
          </p>
          <CodeBlock code={password} label="password" title="Temporary password" wrap onCopied={onCopied} />
        </>
      )}
    </SecretDialog>
  );
}
