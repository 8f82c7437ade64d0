import { Button, PasswordInput, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../api/api-problem';
import { api, bodyOf } from '../../api/client';
import { whoAmIQuery } from '../../api/queries';
import { ErrorPanel } from '../../components/error-panel';
import { RelativeTime } from '../../components/relative-time';
import { AccessCard } from '../../layout/access-card';
import classes from './access.module.css';
import { fieldError, FormError } from '../../components/form-error';
import { NewPasswordInput } from '../../components/new-password-input';
import { useEnter } from './use-enter';

/** Whoever signed in with a password that somebody made for them chooses their own before anything else. */
export function ResetPage() {
  const { data: me, error, refetch } = useQuery(whoAmIQuery);
  const until = me?.user?.password_expires ?? null;
  return (
    <AccessCard
      title="Choose a new password"
      installation={me?.service.name}
      about={
        until !== null && (
          <>
            The one you were given ends <RelativeTime at={until} />.
          </>
        )
      }
    >
      {me !== undefined && <ResetForm email={me.user?.email ?? ''} />}
      {me === undefined && error === null && <Skeleton height={120} aria-label="Loading" />}
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
    </AccessCard>
  );
}

function ResetForm({ email }: { readonly email: string }) {
  const enter = useEnter();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/password', { body: { current_password: current, new_password: next } })),
    onSuccess: (me) => enter(me),
  });
  const isWrong = change.error !== null && ApiProblem.of(change.error).code === 'wrong_email_or_password';
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) change.mutate();
      }}
    >
      {/* For password managers, which store a password under a name. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label="The password you were given"
        autoComplete="current-password"
        autoFocus
        required
        withAsterisk={false}
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        error={isWrong ? 'This is not the password that you signed in with.' : undefined}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
      <NewPasswordInput
        label="New password"
        value={next}
        onChange={setNext}
        error={fieldError(change.error, 'new_password')}
      />
      {!isWrong && <FormError error={change.error} fields={['new_password']} />}
      <Button type="submit" loading={change.isPending}>
        Change password
      </Button>
    </form>
  );
}
