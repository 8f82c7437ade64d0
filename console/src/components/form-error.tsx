import { ApiProblem } from '../api/api-problem';
import { ErrorPanel } from './error-panel';

/** The message about one field of a form; undefined when the failure is not about it. */
export function fieldError(error: unknown, param: string): string | undefined {
  if (!(error instanceof ApiProblem) || error.param !== param) return undefined;
  return error.message;
}

interface FormErrorProps {
  readonly error: unknown;
  /** Fields that show their own message. */
  readonly fields?: readonly string[];
}

/** A failure of a form that no field shows. */
export function FormError({ error, fields = [] }: FormErrorProps) {
  if (error === null || fields.some((param) => fieldError(error, param) !== undefined)) return null;
  return <ErrorPanel error={error} />;
}
