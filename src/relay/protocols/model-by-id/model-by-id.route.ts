import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AccessGuard } from '../../auth/access.guard.js';
import { ClusterPinPipe } from '../../auth/cluster-pin.js';
import { ExtensionState } from '../../extensions/extension-state.js';
import { Catalogue } from '../../inventory/catalogue.js';
import type { RelayHttpAdapter } from '../../platform/http/relay-http-adapter.js';
import { MODEL_PATH, ModelExchange, type ModelRoute } from './model-exchange.js';

/**
 * `GET /v1/models/{id}`. Nest does not serve it: a route of Nest would ask for a credential also while it does not exist, where the contract
 * has the 404 of an unknown route.
 */
@Injectable()
export class ModelByIdRoute implements OnModuleInit {
  private readonly route: ModelRoute;

  constructor(
    private readonly adapters: HttpAdapterHost<RelayHttpAdapter>,
    guard: AccessGuard,
    pins: ClusterPinPipe,
    catalogue: Catalogue,
    private readonly extensions: ExtensionState,
  ) {
    this.route = { guard, pins, catalogue, extensions };
  }

  onModuleInit(): void {
    this.adapters.httpAdapter.serveBelow(
      MODEL_PATH,
      (req, res) => {
        void new ModelExchange(this.route, req, res).answer();
      },
      () => this.extensions.isServed('model-by-id'),
    );
  }
}
