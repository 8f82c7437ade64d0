import { Link } from '@tanstack/react-router';
import classes from './message-page.module.css';
import { PageTitle } from './page-title';

/** Within the frame: the navigation leads on. */
export function NotFoundPage() {
  return (
    <div className={classes.message}>
      <PageTitle title="Not found" />
      <img src="/console/favicon.svg" alt="" width={40} height={40} />
      <h1>There is no such page</h1>
      <p>The link may be old, or what it names is gone.</p>
      <Link to="/">Go to the overview</Link>
    </div>
  );
}
