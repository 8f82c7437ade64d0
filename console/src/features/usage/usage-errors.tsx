import { Link } from '@tanstack/react-router';
import { count, percent } from '../../components/format';
import classes from './usage.module.css';
import type { UsageSeries } from './usage-series';
import shared from '../../components/plain-table.module.css';

/** Failed, timed out and rejected requests by their code. */
export function UsageErrors({ errors }: Pick<UsageSeries, 'errors'>) {
  const total = errors.reduce((sum, { count: times }) => sum + times, 0);
  return (
    <section aria-labelledby="errors">
      <h2 id="errors" className={classes.heading}>
        Errors
      </h2>
      {errors.length === 0 ? (
        <p className={classes.quiet}>No request failed in this time.</p>
      ) : (
        <>
          <table className={`${shared.plain} ${classes.errors}`}>
            <thead>
              <tr>
                <th scope="col">Code</th>
                <th scope="col">Requests</th>
                <th scope="col">Share</th>
              </tr>
            </thead>
            <tbody>
              {errors.map(({ code, count: times }) => (
                <tr key={code}>
                  <th scope="row">
                    <code>{code}</code>
                  </th>
                  <td>{count(times)}</td>
                  <td>{percent(times / total)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className={classes.quiet}>
            <Link to="/requests" search={{ outcome: 'failed' }}>
              Failed requests
            </Link>
            {' · '}
            <Link to="/requests" search={{ outcome: 'rejected' }}>
              Rejected requests
            </Link>
          </p>
        </>
      )}
    </section>
  );
}
