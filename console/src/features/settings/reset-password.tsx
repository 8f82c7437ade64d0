import { Button, Group, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { CodeBlock } from '../../components/code-block';
import { ConfirmDialog } from '../../components/confirm-dialog';
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
  return (
    <Modal opened onClose={onClose} title={`New password for ${user.name}`} closeOnClickOutside={false}>
      <p>
        Hand it over to {user.email}. It is shown this once and good for an hour; at the sign-in they choose their own.
      </p>
      <CodeBlock code={reset.data.temporary_password} label="password" wrap />
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Modal>
  );
}
