import { LinkButton } from '../components/link-button';
import classes from './message-page.module.css';
import { PageTitle } from './page-title';

/** Within the frame: the navigation leads on. */
export function NotFoundPage() {
  return (
    <div className={classes.message}>
      <PageTitle title="Not found" />
      <img src="/console/favicon.svg" alt="" width={40} height={40} />
      <h1>Page not found</h1>
      <p>The link may be outdated, or the page was removed.</p>
      <LinkButton to="/">Go to the overview</LinkButton>
    </div>
  );
}
