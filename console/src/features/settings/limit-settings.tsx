import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorPanel } from '../../components/error-panel';
import { count, countOf } from '../../components/format';
import { Meter } from '../../components/meter';
import { PageTitle } from '../../layout/page-title';
import { SettingsSection } from './settings-section';
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
          <SettingsSection
            id="limits"
            title="Account limits"
            about="Limits of this account, set by the operator of the relay. Each API key can have limits of its own."
          >
            <div className={classes.limits}>
              <Use name="Computers" {...account.nodes} />
              <Use name="Clusters" {...account.clusters} />
              <Use name="Active API keys" {...account.keys} />
              <Use name="People" {...account.users} />
            </div>
          </SettingsSection>
          <SettingsSection id="retention" title="Retention" about="The relay never stores prompts or responses.">
            <dl className={`${shared.facts} ${classes.facts}`}>
              <dt>Request log</dt>
              <dd>{countOf(account.retention.request_log_days, 'day')}</dd>
              <dt>Usage by the hour</dt>
              <dd>{countOf(account.retention.usage_days, 'day')}</dd>
              <dt>Audit trail</dt>
              <dd>{countOf(account.retention.audit_days, 'day')}</dd>
            </dl>
          </SettingsSection>
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
  <div className={classes.limit}>
    <span>{name}</span>
    <span>
      {count(used)} of {count(limit)}
    </span>
    <Meter used={used} total={limit} label={name} wide />
  </div>
);
