import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { countOf, duration, tokensPerSecond } from '../../components/format';
import classes from './response.module.css';
import { responseSpeed, type ResponseTurn } from './conversation';
import { routeQuery } from './route-query';

interface ResponseFactsProps {
  readonly turn: ResponseTurn;
  /** Its model stands above it already. */
  readonly named: boolean;
}

/** `qwen3:8b · 412 tokens · 41 tok/s · first token 190 ms · studio · why here?` */
export function ResponseFacts({ turn, named }: ResponseFactsProps) {
  const { data } = useQuery(routeQuery(turn.requestId));
  const { requestId, state, firstTokenMs, totalMs, outputTokens, model } = turn;
  const speed = responseSpeed(turn);
  // The last computer that was asked has answered.
  const node = data?.attempts.at(-1)?.node_name;
  const facts: { readonly id: string; readonly shown: ReactNode }[] = [];
  if (state === 'stopped') facts.push({ id: 'state', shown: 'stopped' });
  if (state === 'failed') {
    facts.push({ id: 'state', shown: totalMs === null ? 'failed' : `failed after ${duration(totalMs)}` });
  }
  if (!named) facts.push({ id: 'model', shown: <bdi>{model}</bdi> });
  if (outputTokens !== null) facts.push({ id: 'tokens', shown: countOf(outputTokens, 'token') });
  if (speed !== null) facts.push({ id: 'speed', shown: tokensPerSecond(speed) });
  if (firstTokenMs !== null && state !== 'failed') {
    facts.push({ id: 'first', shown: `first token ${duration(firstTokenMs)}` });
  }
  if (node !== undefined) facts.push({ id: 'node', shown: node });
  if (requestId !== null) {
    facts.push({
      id: 'why',
      shown: (
        <Link to="/requests/$requestId" params={{ requestId }}>
          why here?
        </Link>
      ),
    });
  }
  return (
    <span className={classes.facts}>
      {facts.map(({ id, shown }, index) => (
        <span key={id}>
          {index > 0 && ' · '}
          {shown}
        </span>
      ))}
    </span>
  );
}
