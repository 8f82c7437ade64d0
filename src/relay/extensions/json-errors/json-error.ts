import { definitionOf } from '../../../kernel/errors/error-catalogue.js';
import { FerryError, type NoNodeReason } from '../../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../../kernel/ids.js';
import type { ExtensionState } from '../extension-state.js';

/** In place of the meaning and the remedy of the catalogue, which cover all reasons. */
const sentences: Readonly<Record<NoNodeReason, string>> = {
  no_node_online: 'No node is online. Start one (`ferry node status` on its computer), then retry.',
  model_not_loaded:
    'The model is installed, but not loaded on any online node. Load it (`ferry models load`), then retry.',
  model_loading: 'The model is still being loaded. Retry in a moment.',
  engine_unreachable:
    'The engine that has the model does not answer. Start it (`ferry node doctor` on its computer finds out why), then retry.',
  cluster_offline:
    'No node of the cluster is online. Start one of them (`ferry node status` on its computer), then retry.',
  nodes_unavailable:
    'Every node that could serve the request is paused, draining or failing. Resume one (`ferry nodes resume`), then retry.',
};

/**
 * With the extension `json-errors`, the two errors that the contract has as plain text get the JSON body of their protocol; every other error
 * is returned as it is.
 * @param accountId undefined: no account is known by the credential of the request
 */
export function withJsonBody(
  error: FerryError,
  extensions: Pick<ExtensionState, 'isOn'>,
  accountId: AccountId | undefined,
): FerryError {
  const { meaning, remedy, plainText } = definitionOf(error.code);
  if (plainText === undefined || error.inJson || !extensions.isOn('json-errors', accountId)) return error;
  const { reason, param, retryAfterSeconds, shouldRetry, headers, message } = error;
  const said = message !== meaning || reason === undefined ? `${message} ${remedy}` : sentences[reason];
  return new FerryError(error.code, said, {
    inJson: true,
    status: error.status,
    cause: error,
    ...(reason !== undefined && { reason }),
    ...(param !== null && { param }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(shouldRetry !== undefined && { shouldRetry }),
    ...(headers !== undefined && { headers }),
  });
}
