import type { IncomingMessage, ServerResponse } from 'node:http';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { similarNames } from '../../../kernel/similar-name.js';
import { whenReady } from '../../../kernel/when-ready.js';
import type { AccessGuard } from '../../auth/access.guard.js';
import type { ClusterPinPipe } from '../../auth/cluster-pin.js';
import type { ExtensionState } from '../../extensions/extension-state.js';
import { withJsonBody } from '../../extensions/json-errors/json-error.js';
import type { Catalogue } from '../../inventory/catalogue.js';
import { clusterScope } from '../../inventory/cluster-scope.js';
import type { Access } from '../../platform/access/access.js';
import { callerOf } from '../../platform/access/request-principal.js';
import { serializers } from '../../platform/http/errors/error-family.js';
import { routeNotFound } from '../../platform/http/errors/route-not-found.js';
import { JSON_TYPE } from '../../platform/http/errors/serialized-error.js';
import { toFerryError } from '../../platform/http/errors/to-ferry-error.js';
import { contextOf } from '../../platform/http/request-context.js';
import { requestIdOf } from '../../platform/http/request-id.js';
import { pathOf } from '../../platform/http/request-path.js';
import { sendCompleteResponse } from '../../platform/http/send-response.js';

/** What the requests of the route have in common. */
export interface ModelRoute {
  readonly guard: Pick<AccessGuard, 'admit'>;
  readonly pins: Pick<ClusterPinPipe, 'transform'>;
  readonly catalogue: Pick<Catalogue, 'record' | 'ids'>;
  readonly extensions: Pick<ExtensionState, 'isOn'>;
}

export const MODEL_PATH = '/v1/models/';

const needed: Access = { kind: 'api-key', scope: 'models:read' };
const OK = 200;
const NAMES_SHOWN = 3;
const LONGEST_NAME = 200;

/** One request of `GET /v1/models/{id}` (docs/reference/extensions.md#model-by-id): the same checks as for the list, in the same order. */
export class ModelExchange {
  private readonly anthropic: boolean;

  constructor(
    private readonly route: ModelRoute,
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
  ) {
    this.anthropic = req.headers['anthropic-version'] !== undefined;
  }

  async answer(): Promise<void> {
    try {
      await this.route.guard.admit(this.req, needed);
      const body = await this.record();
      sendCompleteResponse(this.res, { status: OK, headers: { 'content-type': JSON_TYPE }, body });
    } catch (error) {
      const shown = withJsonBody(toFerryError(error), this.route.extensions, contextOf(this.req).accountId);
      const serialize = serializers[this.anthropic ? 'anthropic' : 'openai'];
      sendCompleteResponse(this.res, serialize(shown, requestIdOf(this.res)));
    }
  }

  private record(): Buffer | Promise<Buffer> {
    const { catalogue, extensions, pins } = this.route;
    const { accountId, clusterIds } = callerOf(this.req);
    const path = pathOf(this.req.url ?? '') ?? '';
    // Another account of the relay has it on: for this one, the route does not exist.
    if (!extensions.isOn('model-by-id', accountId)) throw routeNotFound(this.req.method ?? '', path);
    const id = idIn(path);
    return whenReady(pins.transform(this.req), (pin) => {
      const scope = clusterScope(pin, clusterIds);
      const record = catalogue.record(accountId, scope, id, { anthropic: this.anthropic, codex: false });
      if (record === undefined) throw noModel(id, catalogue.ids(accountId, scope));
      return record;
    });
  }
}

/** Clients write the slashes of an id as they are, or as `%2F`. @throws FerryError `invalid_request` */
function idIn(path: string): string {
  try {
    return decodeURIComponent(path.slice(MODEL_PATH.length));
  } catch {
    throw new FerryError('invalid_request', 'The path is not a valid URL.');
  }
}

function noModel(id: string, ids: readonly string[]): FerryError {
  const shown = id.slice(0, LONGEST_NAME);
  const near = similarNames(shown, ids).slice(0, NAMES_SHOWN);
  const hint =
    near.length === 0 ? 'GET /v1/models lists all models.' : `Did you mean ${near.map(quoted).join(' or ')}?`;
  return new FerryError('model_not_found', `There is no model ${quoted(shown)} here. ${hint}`, { param: 'model' });
}

const quoted = (name: string): string => `'${name}'`;
