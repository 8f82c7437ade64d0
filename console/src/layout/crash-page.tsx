import { Button } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ErrorPanel } from '../components/error-panel';
import { ApiProblem } from '../api/api-problem';
import classes from './message-page.module.css';
import { PageTitle } from './page-title';

/** Shown when a page could not be loaded or threw while it was drawn; navigation stays usable. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const problem = ApiProblem.of(error);
  const retry = () => {
    reset();
    void router.invalidate();
  };
  // After an upgrade of the relay the files that an open page still names are gone.
  const isOldPage = /dynamically imported module|module script|preload/i.test(problem.message);
  return (
    <div className={classes.message}>
      <PageTitle title="Something went wrong" />
      <h1>This page cannot be shown</h1>
      {isOldPage ? (
        <>
          <p>Ferry was updated since this page was opened.</p>
          <Button onClick={() => globalThis.location.reload()}>Reload</Button>
        </>
      ) : (
        <ErrorPanel error={problem} onRetry={retry} />
      )}
    </div>
  );
}
