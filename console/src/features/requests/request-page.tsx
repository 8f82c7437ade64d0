import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiProblem } from '../../api/api-problem';
import { CopyId } from '../../components/copy-id';
import { ErrorPanel } from '../../components/error-panel';
import { codeWords } from '../../components/format';
import { RelativeTime } from '../../components/relative-time';
import { StateDot } from '../../components/state-dot';
import { PageHead } from '../../layout/page-head';
import { useVisited } from '../../layout/use-visited';
import { TableSkeleton } from '../../components/table-skeleton';
import { Candidates } from './candidates';
import {
  actualPhases,
  decisionOf,
  predictedPhases,
  refusalTime,
  sentenceOf,
  type ExplainedRequest,
} from './explain-request';
import { outcomeOf } from '../../components/outcomes';
import { RequestFacts } from './request-facts';
import { RequestFailure } from './request-failure';
import { explanationQuery, loggedRequestQuery } from './request-log';
import classes from './request-page.module.css';
import { Timeline } from './timeline';

const isMissing = (error: unknown): boolean => error !== null && ApiProblem.of(error).status === 404;

export function RequestPage() {
  const { requestId } = useParams({ from: '/frame/requests/$requestId' });
  const logged = useQuery(loggedRequestQuery(requestId));
  const explained = useQuery(explanationQuery(requestId));
  const row = logged.data;
  const request = explained.data;
  const known = row !== undefined || request !== undefined;
  const title = row?.model_name ?? row?.requested_model ?? request?.model ?? 'Request';
  useVisited('request', requestId, known ? title : undefined);
  const outcome = outcomeOf(row?.outcome ?? request?.outcome ?? null);
  const back = <Link to="/requests">Requests</Link>;
  const predicted = request ? predictedPhases(request) : null;
  if (!known) {
    return (
      <>
        <PageHead title="Request" back={back} mark={<CopyId id={requestId} label="request id" />} />
        {logged.isPending || explained.isPending ? (
          <TableSkeleton />
        ) : (
          <ErrorPanel
            title={isMissing(logged.error) ? 'The relay does not know this request' : 'The request could not be loaded'}
            error={logged.error}
            onRetry={() => void Promise.all([logged.refetch(), explained.refetch()])}
          />
        )}
      </>
    );
  }
  return (
    <>
      <PageHead
        title={title}
        back={back}
        mark={<StateDot state={outcome.state} label={outcome.label} />}
        about={<CopyId id={requestId} label="request id" whole />}
      />
      {row !== undefined && <RequestFailure row={row} />}
      <p className={classes.sentence}>
        {request === undefined ? 'Why it went where it went was not kept; what was measured was.' : sentenceOf(request)}
      </p>
      <div className={classes.columns}>
        <section aria-labelledby="time">
          <h2 id="time">Time</h2>
          {predicted === null && row?.node_id === null ? (
            <p className={classes.muted}>{refusalTime(row)}</p>
          ) : (
            <Timeline predicted={predicted} actual={row ? actualPhases(row) : null} streamed={row?.stream ?? true} />
          )}
          {row === undefined && <p className={classes.muted}>Measured times follow when it is in the log.</p>}
        </section>
        {row !== undefined && (
          <section aria-labelledby="facts">
            <h2 id="facts">Request</h2>
            <RequestFacts row={row} />
          </section>
        )}
      </div>
      {request !== undefined && <Routing request={request} />}
    </>
  );
}

function Routing({ request }: { readonly request: ExplainedRequest }) {
  const decision = decisionOf(request);
  return (
    <>
      {decision !== undefined && decision.candidates.length > 0 && (
        <section aria-labelledby="candidates" className={classes.section}>
          <h2 id="candidates">Candidates</h2>
          <Candidates candidates={decision.candidates} chosen={decision.chosen} />
        </section>
      )}
      {request.attempts.length > 1 && (
        <section aria-labelledby="attempts" className={classes.section}>
          <h2 id="attempts">Attempts</h2>
          <ol className={classes.attempts}>
            {request.attempts.map(({ node_id, node_name, at, result, reason, hedge }) => (
              <li key={`${node_id} ${at}`}>
                {node_name}: {codeWords(result)}
                {reason !== null && ` (${codeWords(reason)})`}
                {hedge && ', asked because the first was late'} · <RelativeTime at={at} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
