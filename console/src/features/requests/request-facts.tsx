import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyId } from '../../components/copy-id';
import { count, exactTime, tokensPerSecond } from '../../components/format';
import type { LoggedRequest } from '../../components/logged-request';
import { dialectNames } from '../../components/outcomes';
import { countedTokens } from '../../components/request-tokens';
import classes from './request-page.module.css';
import { speedOf, speedReason } from '../../components/request-speed';

const sources: Readonly<Record<string, string>> = {
  engine: 'counted by the engine',
  counted: 'counted by the computer',
  estimated: 'estimated by the relay',
};

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What the log has of a request. */
export function RequestFacts({ row }: { readonly row: LoggedRequest }) {
  const { cached_tokens, reasoning_tokens } = row;
  const { input, output } = countedTokens(row);
  const source = output === null ? null : row.source;
  const speed = speedOf(row);
  // Of one that failed, what was never counted is no fact.
  const hasFailed = row.code !== null;
  return (
    <dl className={classes.facts}>
      <Fact name="When">{exactTime(row.started_at)}</Fact>
      <Fact name="Model">
        {row.model_name === null ? (
          '–'
        ) : (
          <Link to="/models" search={{ q: row.model_name }}>
            <bdi>{row.model_name}</bdi>
          </Link>
        )}{' '}
        {row.model !== null && <CopyId id={row.model} label="model id" whole />}
      </Fact>
      {row.requested_model !== null && row.requested_model !== row.model_name && (
        <Fact name="Requested as">
          {row.requested_model === row.model ? (
            'its id'
          ) : (
            <CopyId id={row.requested_model} label="requested name" whole />
          )}
        </Fact>
      )}
      <Fact name="Computer">
        {row.node_id === null ? (
          '–'
        ) : (
          <Link to="/computers/$nodeId" params={{ nodeId: row.node_id }}>
            {row.node_name ?? row.node_id}
          </Link>
        )}
      </Fact>
      <Fact name="Cluster">{row.cluster_name ?? row.cluster_id ?? '–'}</Fact>
      <Fact name="Key">
        <Link to="/keys" search={{ q: row.key_id }}>
          {row.key_name ?? row.key_id}
        </Link>
      </Fact>
      <Fact name="Protocol">
        {dialectNames[row.dialect] ?? row.dialect}
        {row.stream ? ', streamed' : ''}
      </Fact>
      {(input !== null || !hasFailed) && (
        <Fact name="Tokens in">
          {count(input)}
          {cached_tokens > 0 && <span className={classes.muted}> · {count(cached_tokens)} from the cache</span>}
        </Fact>
      )}
      {(output !== null || !hasFailed) && (
        <Fact name="Tokens out">
          {count(output)}
          {reasoning_tokens > 0 && <span className={classes.muted}> · {count(reasoning_tokens)} of reasoning</span>}
          {source !== null && <span className={classes.muted}> · {sources[source] ?? source}</span>}
        </Fact>
      )}
      {(speed !== null || !hasFailed) && (
        <Fact name="Speed">
          {speed === null ? <span className={classes.muted}>{speedReason(row)}</span> : tokensPerSecond(speed)}
        </Fact>
      )}
      <Fact name="Attempts">
        {row.attempts}
        {row.retried && <span className={classes.muted}> · the prompt may have run twice</span>}
      </Fact>
    </dl>
  );
}
