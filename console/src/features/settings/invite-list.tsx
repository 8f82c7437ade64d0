import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import type { Role } from '../../api/roles';
import { useUrlState } from '../../components/url-state';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { CopyId } from '../../components/copy-id';
import type { Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { RelativeTime } from '../../components/relative-time';
import { TableSection } from '../../components/table-section';
import classes from './settings.module.css';
import { invitesQuery, roleNames, usersQuery, type Invite, type User } from './settings-queries';

const NewInvite = lazy(async () => ({ default: (await import('./new-invite')).NewInvite }));

export function InviteList() {
  const invites = useQuery(invitesQuery);
  const { data: users = noUsers } = useQuery(usersQuery);
  const [inviting, setInviting] = useUrlState('invite');
  const [revoking, setRevoking] = useState<Invite | null>(null);
  const revoke = useMutation({
    mutationFn: (inviteId: string) => bodyOf(api.DELETE('/api/invites/{inviteId}', { params: { path: { inviteId } } })),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['invites'] });
      setRevoking(null);
      notifications.show({ message: 'The invite is revoked.' });
    },
  });
  const columns = useMemo(() => columnsOf(users, setRevoking), [users]);
  return (
    <TableSection
      title="Open invites"
      about="Each link works once, for one person. Ferry sends no e-mail: pass the link on yourself."
      prefix="invites-"
      query={invites}
      columns={columns}
      rowKey={({ invite_id }) => invite_id}
      empty={
        <EmptyState compact title="No open invites" command="ferry users invite">
          Share the account: others get their own sign-in, and you see who did what.
        </EmptyState>
      }
    >
      {inviting !== '' && (
        <Suspense>
          <NewInvite onClose={() => setInviting('')} />
        </Suspense>
      )}
      <ConfirmDialog
        opened={revoking !== null}
        title="Revoke the invite?"
        action="Revoke"
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking !== null && revoke.mutate(revoking.invite_id)}
        onClose={() => {
          setRevoking(null);
          revoke.reset();
        }}
      >
        {revoking !== null && (
          <>
            <p>Its link, for {newcomers[revoking.role]}, stops working immediately.</p>
            <CopyId id={revoking.invite_id} label="invite id" />
          </>
        )}
      </ConfirmDialog>
    </TableSection>
  );
}

const noUsers: readonly User[] = [];

const newcomers: Readonly<Record<Role, string>> = { member: 'a member', admin: 'an admin', owner: 'an owner' };

const columnsOf = (users: readonly User[], onRevoke: (invite: Invite) => void): readonly Column<Invite>[] => [
  {
    id: 'role',
    header: 'Invite',
    heading: true,
    sortBy: ({ role }) => roleNames[role],
    cell: ({ role, invite_id }) => (
      <div>
        <span className={classes.name}>For {newcomers[role]}</span>
        <span className={classes.sub}>
          <CopyId id={invite_id} label="invite id" />
        </span>
      </div>
    ),
  },
  {
    id: 'by',
    header: 'Created by',
    card: 'line',
    cell: ({ created_by }, inCard) => {
      if (created_by === null) return inCard ? 'By the relay' : 'The relay';
      const name = users.find(({ user_id }) => user_id === created_by)?.name;
      if (inCard) return `By ${name ?? 'somebody who is gone'}`;
      return name ?? 'Somebody who is gone';
    },
  },
  {
    id: 'created',
    header: 'Created',
    card: 'named',
    width: '112px',
    sortBy: ({ created }) => created,
    cell: ({ created }) => <RelativeTime at={created} />,
  },
  {
    id: 'expires',
    header: 'Expires',
    card: 'named',
    width: '112px',
    sortBy: ({ expires }) => expires,
    cell: ({ expires }) => <RelativeTime at={expires} />,
  },
  {
    id: 'revoke',
    header: 'Actions',
    numeric: true,
    width: '104px',
    rank: 0,
    card: 'corner',
    cell: (invite) => (
      <Button size="compact-xs" variant="default" onClick={() => onRevoke(invite)}>
        Revoke…
      </Button>
    ),
  },
];
