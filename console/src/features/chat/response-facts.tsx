import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { DottedLine } from '../../components/dotted-line';
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
  const facts: (string | ReactElement)[] = [];
  if (state === 'stopped') facts.push('stopped');
  if (state === 'failed') facts.push(totalMs === null ? 'failed' : `failed after ${duration(totalMs)}`);
  if (!named) facts.push(model);
  if (outputTokens !== null) facts.push(countOf(outputTokens, 'token'));
  if (speed !== null) facts.push(tokensPerSecond(speed));
  if (firstTokenMs !== null && state !== 'failed') facts.push(`first token ${duration(firstTokenMs)}`);
  if (node !== undefined) facts.push(node);
  if (requestId !== null) {
    facts.push(
      <Link to="/requests/$requestId" params={{ requestId }}>
        why here?
      </Link>,
    );
  }
  return <DottedLine parts={facts} className={classes.facts} />;
}
