import { ActionIcon, Menu } from '@mantine/core';
import { MoreIcon } from '../../components/icons';
import type { MemberAction } from './member-dialogs';
import type { User } from './settings-queries';

interface MemberMenuProps {
  readonly user: User;
  /** People disable and remove others, not themselves. */
  readonly isSelf: boolean;
  readonly onAction: (action: MemberAction) => void;
}

export function MemberMenu({ user, isSelf, onAction }: MemberMenuProps) {
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Manage ${user.name}`}>
          <MoreIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAction({ kind: 'change', user })}>Name and role…</Menu.Item>
        {!isSelf && (
          <>
            <Menu.Item onClick={() => onAction({ kind: 'reset', user })}>New password…</Menu.Item>
            <Menu.Item onClick={() => onAction({ kind: user.disabled ? 'enable' : 'disable', user })}>
              {user.disabled ? 'Enable…' : 'Disable…'}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => onAction({ kind: 'remove', user })}>
              Remove…
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
