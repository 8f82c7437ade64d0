import { AccessCard } from '../../layout/access-card';
import classes from './access.module.css';
import shared from '../../components/form.module.css';

/** Over a network without TLS, a session would be anybody's. */
export function NoBrowserSignIn({ installation }: { readonly installation: string | undefined }) {
  return (
    <AccessCard title="This address is not secure" installation={installation}>
      <div className={shared.form}>
        <p className={classes.other}>
          Signing in over a network needs https, so that nobody on the way can take your session. There are two ways:
        </p>
        <p className={classes.other}>
          Open the website on the relay’s own computer, with the link that <code>ferry up</code> prints there.
        </p>
        <p className={classes.other}>
          Or put a proxy with a certificate in front of the relay, and set <code>FERRY_BASE_URL</code> to its https
          address.
        </p>
        <p className={classes.other}>
          <code>ferry login</code> works without.
        </p>
      </div>
    </AccessCard>
  );
}
