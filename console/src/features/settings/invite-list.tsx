import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useUrlState } from '../../components/url-state';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { DataTable, type Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { RelativeTime } from '../../components/relative-time';
import { NewInvite } from './new-invite';
import classes from './settings.module.css';
import { invitesQuery, roleNames, usersQuery, type Invite, type User } from './settings-queries';

export function InviteList() {
  const { data: invites, error, refetch } = useQuery(invitesQuery);
  const { data: users = noUsers } = useQuery(usersQuery);
  const [inviting, setInviting] = useUrlState('invite');
  const [revoking, setRevoking] = useState<Invite | null>(null);
  const revoke = useMutation({
    mutationFn: (inviteId: string) => bodyOf(api.DELETE('/api/invites/{inviteId}', { params: { path: { inviteId } } })),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['invites'] });
      setRevoking(null);
      notifications.show({ message: 'The invite is taken back.' });
    },
  });
  const columns = useMemo(() => columnsOf(users, setRevoking), [users]);
  const inviteButton = <Button onClick={() => setInviting('1')}>Invite somebody</Button>;
  return (
    <section className={classes.wide} aria-labelledby="invites">
      <div className={classes.head}>
        <div>
          <h2 className={classes.heading} id="invites">
            Open invites
          </h2>
          <p className={classes.about}>Each link lets one person in, once. No mail is sent: hand the link over.</p>
        </div>
        {invites !== undefined && invites.length > 0 && inviteButton}
      </div>
      <DataTable
        label="Open invites"
        prefix="invites-"
        rows={invites}
        columns={columns}
        rowKey={({ invite_id }) => invite_id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No open invites" action={inviteButton} command="ferry users invite">
            Share the account: others get their own sign-in, and you see who did what.
          </EmptyState>
        }
      />
      {inviting !== '' && <NewInvite onClose={() => setInviting('')} />}
      <ConfirmDialog
        opened={revoking !== null}
        title="Take the invite back?"
        action="Take back"
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking !== null && revoke.mutate(revoking.invite_id)}
        onClose={() => {
          setRevoking(null);
          revoke.reset();
        }}
      >
        <p>Its link stops working immediately.</p>
      </ConfirmDialog>
    </section>
  );
}

const noUsers: readonly User[] = [];

const columnsOf = (users: readonly User[], onRevoke: (invite: Invite) => void): readonly Column<Invite>[] => [
  {
    id: 'role',
    header: 'Role',
    heading: true,
    sortBy: ({ role }) => roleNames[role],
    cell: ({ role }) => <span className={classes.name}>{roleNames[role]}</span>,
  },
  {
    id: 'by',
    header: 'Made by',
    cell: ({ created_by }) => {
      if (created_by === null) return 'The relay';
      return users.find(({ user_id }) => user_id === created_by)?.name ?? 'Somebody who is gone';
    },
  },
  {
    id: 'created',
    header: 'Made',
    sortBy: ({ created }) => created,
    cell: ({ created }) => <RelativeTime at={created} />,
  },
  {
    id: 'expires',
    header: 'Ends',
    sortBy: ({ expires }) => expires,
    cell: ({ expires }) => <RelativeTime at={expires} />,
  },
  {
    id: 'revoke',
    header: '',
    numeric: true,
    width: '112px',
    rank: 0,
    cell: (invite) => (
      <Button size="compact-sm" variant="default" onClick={() => onRevoke(invite)}>
        Take back
      </Button>
    ),
  },
];
