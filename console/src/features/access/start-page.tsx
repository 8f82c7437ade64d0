import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiProblem } from '../../api/api-problem';
import { whoAmIQuery } from '../../api/queries';
import { queryClient } from '../../api/query-client';
import { ErrorPanel } from '../../components/error-panel';
import { AccessCard } from '../../layout/access-card';
import classes from './access.module.css';
import { signInByLinkQuery } from './access-queries';
import { FirstPasswordForm } from './first-password-form';
import { takeFragmentToken } from './fragment-token';
import shared from '../../components/form.module.css';

/** Of the first drawing: React draws twice in development, and the second time the address has no token any more. */
let taken: string | undefined;

/** The link of `ferry up`: signs in at once, and offers a password where there is none yet. */
export function StartPage() {
  const [token] = useState(() => {
    const inAddress = takeFragmentToken();
    if (inAddress !== '') taken = inAddress;
    return taken ?? '';
  });
  // Without a link there may still be a session that has no password yet: the page was reloaded.
  return token === '' ? <StartedAlready /> : <StartByLink token={token} />;
}

function StartByLink({ token }: { readonly token: string }) {
  const { data: me, error, refetch } = useQuery(signInByLinkQuery(token));
  useEffect(() => {
    if (me !== undefined) queryClient.setQueryData(whoAmIQuery.queryKey, me);
  }, [me]);
  if (me !== undefined) return <Started hasPassword={me.has_password} installation={me.service.name} />;
  if (error === null) return <SigningIn />;
  switch (ApiProblem.of(error).code) {
    case 'link_used':
      return <DeadLink title="This link was used already" why="Each link signs in once." />;
    case 'not_found':
      return <DeadLink title="This link has expired" why="Links are good for 15 minutes." />;
    default:
      return (
        <AccessCard title="Not signed in">
          <ErrorPanel error={error} onRetry={() => void refetch()} />
        </AccessCard>
      );
  }
}

function StartedAlready() {
  const { data: me, error } = useQuery({ ...whoAmIQuery, retry: false });
  if (me !== undefined) return <Started hasPassword={me.has_password} installation={me.service.name} />;
  return error === null ? <SigningIn /> : <DeadLink title="The link is incomplete" />;
}

interface StartedProps {
  readonly hasPassword: boolean;
  readonly installation: string;
}

function Started({ hasPassword, installation }: StartedProps) {
  const navigate = useNavigate();
  useEffect(() => {
    if (hasPassword) void navigate({ to: '/', replace: true });
  }, [hasPassword, navigate]);
  if (hasPassword) return <SigningIn />;
  return (
    <AccessCard
      title="You are signed in"
      installation={installation}
      about="The link worked once. Choose how you sign in next time, also from other computers."
    >
      <FirstPasswordForm onDone={() => void navigate({ to: '/', replace: true })} />
    </AccessCard>
  );
}

const SigningIn = () => (
  <AccessCard title="Signing you in">
    <div className={shared.form} role="status" aria-busy="true" aria-label="Signing you in">
      <Skeleton height={36} />
      <Skeleton height={36} />
    </div>
  </AccessCard>
);

/** A link that does not sign in, with the two ways that do. */
function DeadLink({ title, why }: { readonly title: string; readonly why?: string }) {
  return (
    <AccessCard title={title} about={why}>
      <div className={shared.form}>
        <p className={classes.other}>
          Sign in with e-mail and password, or run <code>ferry up</code> again on the relay’s computer: it prints a new
          link, even while Ferry is running.
        </p>
        <Button component={Link} to="/sign-in" variant="default">
          Sign in with a password
        </Button>
      </div>
    </AccessCard>
  );
}
