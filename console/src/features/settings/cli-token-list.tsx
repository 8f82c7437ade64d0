import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { ConfirmDialog } from '../../components/confirm-dialog';
import type { Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { RelativeTime } from '../../components/relative-time';
import { TableSection } from '../../components/table-section';
import { WholeName } from '../../components/whole-name';
import classes from './settings.module.css';
import { cliTokensQuery, roleNames, usersQuery, type CliToken, type User } from './settings-queries';

/** The command lines of everybody, which owners may sign out. */
export function CliTokenList() {
  const tokens = useQuery(cliTokensQuery);
  const { data: users = noUsers } = useQuery(usersQuery);
  const [revoking, setRevoking] = useState<CliToken | null>(null);
  const revoke = useMutation({
    mutationFn: (cliTokenId: string) =>
      bodyOf(api.DELETE('/api/cli-tokens/{cliTokenId}', { params: { path: { cliTokenId } } })),
    async onSuccess({ name }) {
      await queryClient.invalidateQueries({ queryKey: ['sessions'] });
      setRevoking(null);
      notifications.show({ message: `${name} is signed out.` });
    },
  });
  const columns = useMemo(() => columnsOf(users, setRevoking), [users]);
  return (
    <TableSection
      title="Command lines"
      about="Command lines that are signed in to this account, and their users."
      prefix="command-lines-"
      query={tokens}
      columns={columns}
      rowKey={({ cli_token_id }) => cli_token_id}
      empty={
        <EmptyState compact title="No command line is signed in" command="ferry login">
          Whoever signs in with a command line appears here.
        </EmptyState>
      }
    >
      <ConfirmDialog
        opened={revoking !== null}
        title="Sign it out?"
        action="Sign out"
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking !== null && revoke.mutate(revoking.cli_token_id)}
        onClose={() => {
          setRevoking(null);
          revoke.reset();
        }}
      >
        {revoking?.user_id === null ? (
          <p>
            This is the token of the relay itself. Its invites, join tokens and sign-in links end, too, and commands on
            the computer of the relay are refused until the relay is started again.
          </p>
        ) : (
          <p>{revoking?.name} has to sign in again.</p>
        )}
      </ConfirmDialog>
    </TableSection>
  );
}

const noUsers: readonly User[] = [];

const columnsOf = (users: readonly User[], onRevoke: (token: CliToken) => void): readonly Column<CliToken>[] => [
  {
    id: 'name',
    header: 'Name',
    heading: true,
    sortBy: ({ name }) => name,
    cell: ({ name, last4 }) => (
      <span className={classes.name} title={`…${last4}`}>
        <WholeName text={name} />
      </span>
    ),
  },
  {
    id: 'user',
    header: 'User',
    card: 'line',
    cell: ({ user_id: id }) =>
      id === null ? 'The relay' : (users.find(({ user_id }) => user_id === id)?.name ?? 'Somebody who is gone'),
  },
  {
    id: 'role',
    header: 'Role',
    card: 'line',
    // So that the columns of this table stand below those of the invites.
    cardOnly: true,
    cell: ({ role }) => roleNames[role],
    below: ({ role }) => roleNames[role],
  },
  {
    id: 'created',
    header: 'Signed in',
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
    cell: ({ expires }) => <RelativeTime at={expires} none="never" />,
  },
  {
    id: 'revoke',
    header: 'Actions',
    numeric: true,
    width: '104px',
    rank: 0,
    card: 'corner',
    cell: (token) => (
      <Button size="compact-xs" variant="default" onClick={() => onRevoke(token)} aria-label={`Sign out ${token.name}`}>
        Sign out…
      </Button>
    ),
  },
];
