import { CopyId } from './copy-id';

interface FailureFactsProps {
  /** 0: there was no response. */
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
}

/** What tells a failure apart, and finds it in a log. */
export function FailureFacts({ status, code, requestId }: FailureFactsProps) {
  return (
    <>
      {status > 0 && <span>{status}</span>}
      <code>{code}</code>
      {requestId !== null && <CopyId id={requestId} label="request id" />}
    </>
  );
}
