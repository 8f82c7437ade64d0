import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorPanel } from '../../components/error-panel';
import { count } from '../../components/format';
import { Meter } from '../../components/meter';
import { PageTitle } from '../../layout/page-title';
import classes from './settings.module.css';
import { accountQuery } from './settings-queries';
import shared from '../../components/form.module.css';

export function LimitSettings() {
  const { data: account, error, refetch } = useQuery(accountQuery);
  return (
    <>
      <PageTitle title="Limits" />
      {error !== null && (
        <ErrorPanel error={error} title="The limits could not be loaded" onRetry={() => void refetch()} />
      )}
      {account === undefined ? (
        error === null && <Skeleton height={200} maw={640} role="status" aria-label="Loading" />
      ) : (
        <>
          <section className={classes.section} aria-labelledby="limits">
            <h2 className={classes.heading} id="limits">
              Limits
            </h2>
            <p className={classes.about}>
              Of this account. Whoever runs the relay sets them; limits of a single key are at the key.
            </p>
            <div className={classes.limits}>
              <Use name="Computers" {...account.nodes} />
              <Use name="Clusters" {...account.clusters} />
              <Use name="Active API keys" {...account.keys} />
              <Use name="People" {...account.users} />
            </div>
          </section>
          <section className={classes.section} aria-labelledby="retention">
            <h2 className={classes.heading} id="retention">
              Retention
            </h2>
            <p className={classes.about}>Prompts and answers are not kept by the relay at all.</p>
            <dl className={`${shared.facts} ${classes.facts}`}>
              <dt>Request log</dt>
              <dd>{days(account.retention.request_log_days)}</dd>
              <dt>Usage by the hour</dt>
              <dd>{days(account.retention.usage_days)}</dd>
              <dt>Audit trail</dt>
              <dd>{days(account.retention.audit_days)}</dd>
            </dl>
          </section>
        </>
      )}
    </>
  );
}

interface UseProps {
  readonly name: string;
  readonly count: number;
  readonly limit: number;
}

const Use = ({ name, count: used, limit }: UseProps) => (
  <div>
    <div>{name}</div>
    <Meter used={used} total={limit} label={name} text={`${count(used)} of ${count(limit)}`} />
  </div>
);

const days = (number: number): string =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(number);
