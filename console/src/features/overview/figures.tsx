import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { count, duration, percent, shortCount } from '../../components/format';
import classes from './figures.module.css';
import type { Overview } from './overview-queries';

/** Numbers of today, most beside the same time of yesterday. */
export function Figures({ overview: { today, yesterday, nodes, models_loaded } }: { readonly overview: Overview }) {
  const tokens = today.input_tokens + today.output_tokens;
  const tokensYesterday = yesterday.input_tokens + yesterday.output_tokens;
  return (
    <section aria-label="Today" className={classes.figures}>
      <Figure name="Computers online" value={`${count(nodes.online)} of ${count(nodes.total)}`}>
        <Link to="/computers">
          {nodes.online === nodes.total ? 'View computers' : `${count(nodes.total - nodes.online)} offline`}
        </Link>
      </Figure>
      <Figure name="Models loaded" value={count(models_loaded)}>
        <Link to="/models">View models</Link>
      </Figure>
      <Figure name="Requests today" value={count(today.requests)}>
        <Change now={today.requests} before={yesterday.requests} />
      </Figure>
      <Figure name="Tokens today" value={shortCount(tokens)} exact={count(tokens)}>
        <Change now={tokens} before={tokensYesterday} />
      </Figure>
      <Figure name="Time to first token" value={duration(today.ttft_p50_ms)}>
        {yesterday.ttft_p50_ms === null
          ? 'Median of today, streaming'
          : `Median of today, streaming; yesterday ${duration(yesterday.ttft_p50_ms)}`}
      </Figure>
      <Figure name="Failed or rejected today" value={count(today.failed + today.rejected)} alarming={today.failed > 0}>
        {today.failed + today.rejected === 0 ? (
          `${count(yesterday.failed + yesterday.rejected)} yesterday`
        ) : (
          <>
            {today.failed > 0 && (
              <Link to="/requests" search={{ outcome: 'failed' }}>
                {count(today.failed)} failed
              </Link>
            )}
            {today.failed > 0 && today.rejected > 0 && ' · '}
            {today.rejected > 0 && (
              <Link to="/requests" search={{ outcome: 'rejected' }}>
                {count(today.rejected)} rejected
              </Link>
            )}
          </>
        )}
      </Figure>
    </section>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  /** On hover, where the value is rounded. */
  readonly exact?: string;
  readonly alarming?: boolean;
  readonly children: ReactNode;
}

function Figure({ name, value, exact, alarming = false, children }: FigureProps) {
  return (
    <dl className={classes.figure}>
      <dt className={classes.name}>{name}</dt>
      <dd className={classes.value} title={exact} data-alarming={alarming || undefined}>
        {value}
      </dd>
      <dd className={classes.note}>{children}</dd>
    </dl>
  );
}

/** More or less than yesterday is neither good nor bad, so it has no colour. */
function Change({ now, before }: { readonly now: number; readonly before: number }) {
  if (before === 0) return 'None yesterday';
  const change = (now - before) / before;
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
  return `${sign}${percent(Math.abs(change))} against yesterday`;
}
