import { Link } from '@tanstack/react-router';
import { codeWords, count, percent } from '../../components/format';
import { StateDot } from '../../components/state-dot';
import { errorKind } from './error-kind';
import classes from './usage.module.css';
import type { UsageSeries } from './usage-series';
import shared from '../../components/plain-table.module.css';

interface UsageErrorsProps extends Pick<UsageSeries, 'errors'> {
  readonly failed: number;
  readonly rejected: number;
  /** Of the request log, where it has this range. */
  readonly since: string | undefined;
}

/** Failed, timed out and rejected requests by their code. */
export function UsageErrors({ errors, failed, rejected, since }: UsageErrorsProps) {
  const inTime = since === undefined ? {} : { since };
  const total = errors.reduce((sum, { count: times }) => sum + times, 0);
  return (
    <section aria-labelledby="errors">
      <h2 id="errors" className={classes.heading}>
        Failed and rejected
      </h2>
      {errors.length === 0 ? (
        <p className={classes.quiet}>No request failed or was rejected in this time.</p>
      ) : (
        <>
          <table className={`${shared.plain} ${classes.errors}`}>
            <thead>
              <tr>
                <th scope="col">Reason</th>
                <th scope="col">Outcome</th>
                <th scope="col">Requests</th>
                <th scope="col">Share of these</th>
              </tr>
            </thead>
            <tbody>
              {errors.map(({ code, count: times }) => (
                <tr key={code}>
                  <th scope="row">
                    <span title={code}>{codeWords(code)}</span>
                  </th>
                  <td>
                    <StateDot {...errorKind(code, { failed, rejected })} />
                  </td>
                  <td>{count(times)}</td>
                  <td>{percent(times / total)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className={classes.links}>
            {failed > 0 && (
              <Link to="/requests" search={{ outcome: 'failed', ...inTime }}>
                Failed requests
              </Link>
            )}
            {failed > 0 && rejected > 0 && ' · '}
            {rejected > 0 && (
              <Link to="/requests" search={{ outcome: 'rejected', ...inTime }}>
                Rejected requests
              </Link>
            )}
          </p>
        </>
      )}
    </section>
  );
}
