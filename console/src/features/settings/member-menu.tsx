import { ActionIcon } from '@mantine/core';
import { ActionMenu, type MenuEntry } from '../../components/action-menu';
import { ActionsIcon } from '../../components/icons';
import type { MemberAction } from './member-dialogs';
import type { User } from './settings-queries';

interface MemberMenuProps {
  readonly user: User;
  /** People disable and remove others, not themselves. */
  readonly isSelf: boolean;
  readonly onAction: (action: MemberAction) => void;
}

export function MemberMenu({ user, isSelf, onAction }: MemberMenuProps) {
  const others: readonly MenuEntry[] = [
    // The provider has the password of the others.
    ...(user.openid ? [] : [{ label: 'New password…', onClick: () => onAction({ kind: 'reset', user }) }]),
    {
      label: user.disabled ? 'Enable…' : 'Disable…',
      onClick: () => onAction({ kind: user.disabled ? 'enable' : 'disable', user }),
    },
    'divider',
    { label: 'Remove…', grave: true, onClick: () => onAction({ kind: 'remove', user }) },
  ];
  return (
    <ActionMenu
      width={200}
      button={
        <ActionIcon variant="subtle" color="gray" aria-label={`Manage ${user.name}`}>
          <ActionsIcon />
        </ActionIcon>
      }
      entries={[
        { label: 'Name and role…', onClick: () => onAction({ kind: 'change', user }) },
        ...(isSelf ? [] : others),
      ]}
    />
  );
}
