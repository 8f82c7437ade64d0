import type * as Agent from '../../../agent/main.js';
import { AdvisedError } from '../../../kernel/errors/advised-error.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes, type ExitCode } from '../../core/errors/exit-codes.js';

const joinExitCodes: Record<Agent.JoinErrorReason, ExitCode> = {
  usage: exitCodes.usage,
  already_joined: exitCodes.failure,
  unreachable: exitCodes.unreachable,
  refused: exitCodes.failure,
};

/** Gives the agent's own errors their exit code and advice. Anything else is passed through. */
export function classifyAgentFailure(agent: typeof Agent, error: unknown): unknown {
  const as = (code: string, exitCode: ExitCode): CliError =>
    new CliError(code, exitCode, (error as Error).message, {
      hint: error instanceof AdvisedError ? error.advice : undefined,
      cause: error,
    });
  if (error instanceof agent.JoinError) return as(`join_${error.reason}`, joinExitCodes[error.reason]);
  if (error instanceof agent.RelayAddressError) return as('relay_address', exitCodes.usage);
  if (error instanceof agent.EnginesFileError) return as('engines_file', exitCodes.usage);
  if (error instanceof agent.CaFileError) return as('ca_file', exitCodes.usage);
  if (error instanceof agent.ProxyError) return as('proxy', exitCodes.usage);
  // With exit code 4 a supervisor leaves the node down: only joining again helps.
  if (error instanceof agent.NotJoinedError) return as('not_joined', exitCodes.notSignedIn);
  if (error instanceof agent.NodeRefusedError) return as('node_refused', exitCodes.notSignedIn);
  return error;
}
