import { ApiProblem } from '../../api/api-problem';
import { ErrorPanel } from '../../components/error-panel';
import type { ResponseTurn } from './conversation';

export interface ResponseProblemProps {
  readonly problem: NonNullable<ResponseTurn['problem']>;
  readonly turn: Pick<ResponseTurn, 'model' | 'requestId'>;
  readonly onRetry: (() => void) | undefined;
}

/** Why there is no answer, without advice: where that cannot be fetched, as without a connection to the relay. */
export const PlainProblem = ({ problem: { status, code, message, requestId }, onRetry }: ResponseProblemProps) => (
  <ErrorPanel error={new ApiProblem(status, code, message, requestId)} {...(onRetry && { onRetry })} />
);
