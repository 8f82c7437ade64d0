import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { whoAmIQuery } from '../../api/queries';
import { hasRole, type Role } from '../../api/roles';
import { usePermission } from '../../api/use-permission';
import type { Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { RelativeTime } from '../../components/relative-time';
import { StateDot } from '../../components/state-dot';
import { TableSection } from '../../components/table-section';
import { WholeName } from '../../components/whole-name';
import { useUrlState } from '../../components/url-state';
import type { MemberAction } from './member-dialogs';
import { MemberMenu } from './member-menu';
import classes from './settings.module.css';
import { roleNames, usersQuery, type User } from './settings-queries';

const MemberDialogs = lazy(async () => ({ default: (await import('./member-dialogs')).MemberDialogs }));

export function MemberList() {
  const users = useQuery(usersQuery);
  const { data: me } = useQuery(whoAmIQuery);
  const [action, setAction] = useState<MemberAction | null>(null);
  const ownId = me?.user?.user_id;
  const role = me?.role;
  const mayManage = usePermission('users:write');
  const [, setInviting] = useUrlState('invite');
  const columns = useMemo(() => columnsOf({ role, mayManage, ownId, onAction: setAction }), [role, mayManage, ownId]);
  return (
    <TableSection
      title="People"
      about="Members create keys and chat; admins also manage computers, models and people."
      action={mayManage && <Button onClick={() => setInviting('1')}>Invite somebody</Button>}
      query={users}
      columns={columns}
      rowKey={({ user_id }) => user_id}
      filterText={({ name, email }) => `${name} ${email}`}
      empty={
        <EmptyState compact title="Nobody yet" command="ferry users invite">
          The account is used with its token so far. Invite somebody, and they appear here.
        </EmptyState>
      }
    >
      {action !== null && (
        <Suspense>
          <MemberDialogs
            key={`${action.kind} ${action.user.user_id}`}
            action={action}
            onClose={() => setAction(null)}
          />
        </Suspense>
      )}
    </TableSection>
  );
}

interface MemberColumns {
  readonly role: Role | undefined;
  readonly mayManage: boolean;
  readonly ownId: string | undefined;
  readonly onAction: (action: MemberAction) => void;
}

const columnsOf = ({ role, mayManage, ownId, onAction }: MemberColumns): readonly Column<User>[] => [
  {
    id: 'name',
    header: 'Name',
    heading: true,
    sortBy: ({ name }) => name,
    cell: ({ user_id, name, email, openid }) => (
      <div>
        <span className={classes.person}>
          <WholeName text={name} />
          {user_id === ownId && <span className={classes.you}>(you)</span>}
        </span>
        {email !== name && (
          <span className={classes.sub}>
            <WholeName text={email} />
          </span>
        )}
        {openid && <span className={classes.sub}>Signs in with OpenID; no password here</span>}
      </div>
    ),
  },
  {
    id: 'role',
    header: 'Role',
    width: '80px',
    card: 'line',
    sortBy: (user) => roleNames[user.role],
    cell: (user) => roleNames[user.role],
  },
  {
    id: 'state',
    header: 'State',
    width: '136px',
    card: 'line',
    sortBy: ({ disabled }) => String(disabled),
    cell: (user) => <UserState user={user} />,
  },
  {
    id: 'seen',
    header: 'Last sign-in',
    width: '104px',
    card: 'named',
    sortBy: ({ last_sign_in }) => last_sign_in,
    cell: ({ last_sign_in }) => <RelativeTime at={last_sign_in} />,
  },
  ...(mayManage
    ? [
        {
          id: 'actions',
          header: 'Actions',
          numeric: true,
          width: '64px' as const,
          rank: 0,
          card: 'corner' as const,
          // Nobody manages somebody of a higher role.
          cell: (user: User) =>
            hasRole(role, user.role) ? (
              <MemberMenu user={user} isSelf={user.user_id === ownId} onAction={onAction} />
            ) : null,
        },
      ]
    : []),
];

function UserState({ user }: { readonly user: User }) {
  if (user.disabled) return <StateDot state="off" label="Disabled" />;
  if (user.password_expires !== null) return <StateDot state="attention" label="Temporary password" />;
  return <StateDot state="serving" label="Active" />;
}
