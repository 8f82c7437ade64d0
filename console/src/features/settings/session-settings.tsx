import { Badge, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { forgetPeople } from '../../api/tab-storage';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { DataTable, type Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { RelativeTime } from '../../components/relative-time';
import { WholeName } from '../../components/whole-name';
import { PageTitle } from '../../layout/page-title';
import { describeUserAgent } from './describe-user-agent';
import classes from './settings.module.css';
import { sessionsQuery, type Session } from './settings-queries';

export function SessionSettings() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const [ending, setEnding] = useState<Session | 'all' | null>(null);
  const end = useMutation({
    mutationFn: async (target: Session | 'all') => {
      if (target === 'all') await bodyOf(api.POST('/api/sign-out-everywhere'));
      else {
        const path = { sessionId: target.session_id };
        await bodyOf(api.DELETE('/api/sessions/{sessionId}', { params: { path } }));
      }
      return target;
    },
    async onSuccess(target) {
      setEnding(null);
      if (target === 'all') forgetPeople();
      if (target !== 'all' && !target.current) notifications.show({ message: `${nameOf(target)} is signed out.` });
      // Its 401 leads to the sign-in page where this session was the one that ended.
      await queryClient.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const columns = useMemo(() => columnsOf(setEnding), []);
  return (
    <>
      <PageTitle title="Sessions" />
      <div className={classes.head}>
        <p className={classes.about}>Browsers and command lines signed in as you.</p>
        <Button variant="default" className={classes.headButton} onClick={() => setEnding('all')}>
          Sign out everywhere…
        </Button>
      </div>
      <DataTable
        label="Sessions"
        rows={sessions}
        columns={columns}
        rowKey={({ session_id }) => session_id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState compact title="Nothing is signed in" command="ferry login">
            Sign in with a browser or a command line, and it appears here.
          </EmptyState>
        }
      />
      <ConfirmDialog
        opened={ending !== null}
        title={ending === 'all' ? 'Sign out everywhere?' : 'Sign it out?'}
        action="Sign out"
        pending={end.isPending}
        error={end.error}
        onConfirm={() => ending !== null && end.mutate(ending)}
        onClose={() => {
          setEnding(null);
          end.reset();
        }}
      >
        {ending === 'all' ? (
          <p>Every browser and command line of yours is signed out, this one too.</p>
        ) : (
          ending !== null && (
            <p>
              {nameOf(ending)} has to sign in again.{ending.current && ' It is the one that you use now.'}
            </p>
          )
        )}
      </ConfirmDialog>
    </>
  );
}

const nameOf = ({ kind, name, user_agent }: Session): string =>
  kind === 'cli_token' ? (name ?? 'Command line') : (describeUserAgent(user_agent) ?? 'Unknown browser');

/** Of a program that is no known browser, what it calls itself. */
function kindOf({ kind, user_agent }: Session): string {
  if (kind === 'cli_token') return 'Command line';
  const isKnown = user_agent === null || user_agent === '' || describeUserAgent(user_agent) !== undefined;
  return isKnown ? 'Browser' : user_agent.slice(0, AGENT_SHOWN);
}

const AGENT_SHOWN = 40;

const columnsOf = (onEnd: (session: Session) => void): readonly Column<Session>[] => [
  {
    id: 'name',
    header: 'Device',
    heading: true,
    minWidth: '208px',
    sortBy: nameOf,
    cell: (session) => (
      <div>
        <span className={classes.name} title={session.user_agent ?? undefined}>
          <WholeName text={nameOf(session)} />
        </span>{' '}
        {session.current && (
          <Badge variant="light" size="sm" radius="sm" tt="none" className={classes.badge}>
            this one
          </Badge>
        )}
        <span className={classes.sub}>{kindOf(session)}</span>
      </div>
    ),
  },
  { id: 'ip', header: 'Signed in from', width: '128px', card: 'line', cell: ({ ip }) => ip ?? '–' },
  {
    id: 'created',
    header: 'Signed in',
    minWidth: '104px',
    card: 'named',
    sortBy: ({ created }) => created,
    cell: ({ created }) => <RelativeTime at={created} />,
  },
  {
    id: 'last_used',
    header: 'Last used',
    minWidth: '104px',
    card: 'named',
    sortBy: ({ last_used }) => last_used,
    cell: ({ last_used }) => <RelativeTime at={last_used} none="–" />,
  },
  {
    id: 'end',
    header: 'Actions',
    numeric: true,
    width: '104px',
    rank: 0,
    card: 'corner',
    cell: (session) => (
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => onEnd(session)}
        aria-label={`Sign out ${nameOf(session)}`}
      >
        Sign out…
      </Button>
    ),
  },
];
