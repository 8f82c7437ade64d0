import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { ErrorPanel } from '../../components/error-panel';
import { AccessCard } from '../../layout/access-card';
import { installationName } from '../../layout/page-title';
import { signInPurpose, stepAfterSignIn, type SignInReason } from '../../api/sign-in-path';
import { usePageSearch } from '../../layout/use-page-search';
import classes from './access.module.css';
import { signInMethodsQuery } from './access-queries';
import { FormError } from '../../components/form-error';
import { NoBrowserSignIn } from './no-browser-sign-in';
import { SignUpForm } from './sign-up-form';
import { useEnter } from './use-enter';
import shared from '../../components/form.module.css';

/** By the `reason` in the URL: text of the URL itself is never shown. */
const reasons: Readonly<Record<string, string>> = {
  session_ended: 'Your session has ended. Sign in again to go on.',
  sign_in_refused:
    'The sign-in was refused: the provider did not confirm it, or the e-mail address is not invited here. Ask an admin of your account for an invite.',
  recent_sign_in_needed: 'What you were about to do needs a sign-in of the last minutes. Sign in again to go on.',
} satisfies Record<SignInReason, string>;

export function SignInPage() {
  const { reason = '', next } = usePageSearch();
  const { data: methods, error, refetch } = useQuery(signInMethodsQuery);
  const [signingUp, setSigningUp] = useState(false);
  const installation = methods?.service.name;
  const name = installationName(installation);
  if (methods?.browser === false) return <NoBrowserSignIn installation={installation} />;
  return (
    <AccessCard
      title={signingUp ? 'Create an account' : (signInPurpose(next) ?? 'Sign in')}
      installation={installation}
      {...(!signingUp && { about: stepAfterSignIn(next) })}
    >
      {!signingUp && Object.hasOwn(reasons, reason) && (
        <p role="alert" className={classes.warning} style={{ marginBottom: 16 }}>
          {reasons[reason]}
        </p>
      )}
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {signingUp ? <SignUpForm /> : <SignInForm oidcName={methods?.oidc.enabled ? methods.oidc.name : null} />}
      {methods?.sign_up === true && (
        <p className={classes.other} style={{ marginTop: 16 }}>
          {signingUp ? 'You have an account already?' : `New to ${name}?`}{' '}
          <Anchor component="button" type="button" onClick={() => setSigningUp(!signingUp)}>
            {signingUp ? 'Sign in' : 'Create an account'}
          </Anchor>
        </p>
      )}
    </AccessCard>
  );
}

function SignInForm({ oidcName }: { readonly oidcName: string | null }) {
  const { next } = usePageSearch();
  const enter = useEnter();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/sign-in', { body: { email, password } })),
    onSuccess: (me) => enter(me, next),
  });
  const isTemporary = stepAfterSignIn(next) !== undefined;
  return (
    <form
      className={shared.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!signIn.isPending) signIn.mutate();
      }}
    >
      {oidcName !== null && (
        <>
          <Button component="a" href="/api/oidc/start" variant="default">
            Continue with {oidcName}
          </Button>
          <div className={classes.or}>or</div>
        </>
      )}
      <TextInput
        label="E-mail"
        type="text"
        inputMode="email"
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label={isTemporary ? 'Temporary password' : 'Password'}
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
      <FormError error={signIn.error} />
      <Button type="submit" loading={signIn.isPending}>
        Sign in
      </Button>
      <p className={classes.other}>
        {isTemporary ? (
          'Does it not work? Ask the admin for a new one.'
        ) : (
          <>
            Forgot your password? An admin of your account can reset it. The owner of the relay runs{' '}
            <code>ferry up</code> again for a link that signs in.
          </>
        )}
      </p>
    </form>
  );
}
