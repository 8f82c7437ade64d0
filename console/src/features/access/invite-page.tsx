import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem } from '../../api/api-problem';
import { api, bodyOf } from '../../api/client';
import type { Schemas } from '../../api/management-api.types';
import { ErrorPanel } from '../../components/error-panel';
import { RelativeTime } from '../../components/relative-time';
import { AccessCard } from '../../layout/access-card';
import { installationName } from '../../layout/page-title';
import classes from './access.module.css';
import { invitePreviewQuery, signInMethodsQuery } from './access-queries';
import { FormError } from '../../components/form-error';
import { fragmentToken } from './fragment-token';
import { NewUserFields, newcomerFields, nobodyYet } from '../../components/new-user-fields';
import { NoBrowserSignIn } from './no-browser-sign-in';
import { useEnter } from './use-enter';
import shared from '../../components/form.module.css';

export function InvitePage() {
  // It stays in the address until it is accepted: the page may be reloaded, or opened later.
  const [token] = useState(fragmentToken);
  const { data: methods } = useQuery(signInMethodsQuery);
  const { data: invite, error, refetch } = useQuery({ ...invitePreviewQuery(token), enabled: token !== '' });
  const installation = methods?.service.name;
  if (methods?.browser === false) return <NoBrowserSignIn installation={installation} />;
  if (token === '' || (error !== null && ApiProblem.of(error).code === 'not_found')) {
    return <NoSuchInvite installation={installation} />;
  }
  if (error !== null) {
    return (
      <AccessCard title="Invite" installation={installation}>
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      </AccessCard>
    );
  }
  return invite === undefined ? (
    <AccessCard title="Invite" installation={installation}>
      <div className={shared.form} role="status" aria-busy="true" aria-label="Loading the invite">
        <Skeleton height={20} />
        <Skeleton height={36} />
        <Skeleton height={36} />
      </div>
    </AccessCard>
  ) : (
    <AcceptInvite invite={invite} token={token} installation={installation} />
  );
}

/** As `ferry up` calls the first account. */
const UNNAMED_ACCOUNT = 'default';

interface AcceptInviteProps {
  readonly invite: Schemas['InvitePreview'];
  readonly token: string;
  readonly installation: string | undefined;
}

function AcceptInvite({ invite, token, installation }: AcceptInviteProps) {
  const enter = useEnter();
  const [newUser, setNewcomer] = useState(nobodyYet);
  const accept = useMutation({
    mutationFn: () =>
      bodyOf(api.POST('/api/invites/accept', { body: { ...newUser, name: newUser.name.trim(), token } })),
    onSuccess: (me) => enter(me),
  });
  const { account_name: account, inviter, role, expires } = invite;
  const article = role === 'member' ? 'a' : 'an';
  return (
    <AccessCard
      title={`Join ${account === UNNAMED_ACCOUNT ? installationName(installation) : account}`}
      installation={installation}
      about={
        <>
          {inviter === null ? 'You are invited' : `${inviter} invites you`} as {article} {role}. The invite ends{' '}
          <RelativeTime at={expires} />.
        </>
      }
    >
      <form
        className={shared.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!accept.isPending) accept.mutate();
        }}
      >
        <NewUserFields value={newUser} onChange={setNewcomer} error={accept.error} />
        <FormError error={accept.error} fields={newcomerFields} />
        <Button type="submit" loading={accept.isPending}>
          Join
        </Button>
      </form>
    </AccessCard>
  );
}

/** Unknown, used, expired and revoked invites look alike. */
const NoSuchInvite = ({ installation }: { readonly installation: string | undefined }) => (
  <AccessCard title="This invite cannot be used" installation={installation}>
    <div className={shared.form}>
      <p className={classes.other}>
        It was used already, has expired or was revoked, or the link is incomplete. Ask whoever sent it for a new one.
      </p>
      <Button component={Link} to="/sign-in" variant="default">
        Sign in
      </Button>
    </div>
  </AccessCard>
);
