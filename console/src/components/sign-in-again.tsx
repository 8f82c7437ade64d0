import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { whoAmIQuery } from '../api/queries';
import { signInPath } from '../api/sign-in-path';

interface SignInAgainProps {
  /** Does the same with the relay's own token, which needs no sign-in. */
  readonly command?: string;
}

/** After `recent_sign_in_needed`. The first owner came by a link, and has nothing to sign in with until a password is chosen. */
export function SignInAgain({ command }: SignInAgainProps) {
  const { data: me } = useQuery(whoAmIQuery);
  const cannot = me !== undefined && !me.has_password && me.user?.openid !== true;
  if (cannot) {
    return (
      <span>
        You have no password yet. On the relay’s computer,{' '}
        {command !== undefined && (
          <>
            <code>{command}</code> does it at once, and{' '}
          </>
        )}
        <code>ferry up</code> gives you a new link; with it, choose a password under Settings, Account.
      </span>
    );
  }
  return (
    <Button size="compact-sm" variant="default" component="a" href={signInAgain()}>
      Sign in again
    </Button>
  );
}

/** The sign-in page, which leads back to this one. A page load: nothing of the old session is kept. */
const signInAgain = (): string => {
  const { pathname, search } = window.location;
  return `/console${signInPath(`${pathname.replace(/^\/console/, '')}${search}`, 'recent_sign_in_needed')}`;
};
