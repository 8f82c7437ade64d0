import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ChangeMember } from './change-member';
import { ResetPassword } from './reset-password';
import type { User } from './settings-queries';

export interface MemberAction {
  readonly kind: 'change' | 'reset' | 'disable' | 'enable' | 'remove';
  readonly user: User;
}

interface MemberDialogProps {
  readonly action: MemberAction;
  readonly onClose: () => void;
}

export function MemberDialogs({ action, onClose }: MemberDialogProps) {
  const { kind, user } = action;
  switch (kind) {
    case 'change':
      return <ChangeMember user={user} onClose={onClose} />;
    case 'reset':
      return <ResetPassword user={user} onClose={onClose} />;
    case 'disable':
    case 'enable':
      return <DisableMember user={user} disabled={kind === 'disable'} onClose={onClose} />;
    case 'remove':
      return <RemoveMember user={user} onClose={onClose} />;
    default:
      return kind satisfies never;
  }
}

interface DisableMemberProps {
  readonly user: User;
  readonly disabled: boolean;
  readonly onClose: () => void;
}

function DisableMember({ user, disabled, onClose }: DisableMemberProps) {
  const path = { userId: user.user_id };
  const change = useMutation({
    mutationFn: () => bodyOf(api.PATCH('/api/users/{userId}', { params: { path }, body: { disabled } })),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['users'] });
      notifications.show({ message: `${user.name} is ${disabled ? 'disabled' : 'enabled'}.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      title={disabled ? `Disable ${user.name}?` : `Enable ${user.name}?`}
      action={disabled ? 'Disable' : 'Enable'}
      harmless={!disabled}
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <p>
        {disabled
          ? 'They are signed out everywhere and cannot sign in until you enable them again. Their API keys keep working.'
          : 'They can sign in again.'}
      </p>
    </ConfirmDialog>
  );
}

function RemoveMember({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const path = { userId: user.user_id };
  const remove = useMutation({
    mutationFn: () => bodyOf(api.DELETE('/api/users/{userId}', { params: { path } })),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['users'] });
      notifications.show({ message: `${user.name} is removed.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      title={`Remove ${user.name}?`}
      action="Remove"
      typed={user.email}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>They are signed out everywhere and leave the account for good. API keys stay: revoke those that they know.</p>
    </ConfirmDialog>
  );
}
