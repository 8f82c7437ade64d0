import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { allProtocols } from '../../dialects/protocols.js';
import { AccessGuard } from '../auth/access.guard.js';
import { ExtensionState } from '../extensions/extension-state.js';
import { accessTo, inferenceAccess } from '../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { serializers } from '../platform/http/errors/error-family.js';
import type { RequestHandler, RelayHttpAdapter } from '../platform/http/relay-http-adapter.js';
import { InferenceCallPipe } from './inference-call.js';
import { InferenceExchange, type InferenceRoute } from './inference-exchange.js';
import { InferenceResponder } from './inference-responder.service.js';
import { ProtocolController } from './protocol-controller.js';

/** Registers the inference routes, which Nest and Express do not serve: half of the cost of a small request would be theirs. */
@Injectable()
export class InferenceRoutes implements OnModuleInit {
  constructor(
    private readonly adapters: HttpAdapterHost<RelayHttpAdapter>,
    private readonly guard: AccessGuard,
    private readonly calls: InferenceCallPipe,
    private readonly responder: InferenceResponder,
    private readonly extensions: ExtensionState,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    const { guard, calls, responder, extensions, config } = this;
    const adapter = this.adapters.httpAdapter;
    for (const protocol of allProtocols) {
      const { extension } = protocol;
      const route: InferenceRoute = {
        dialect: protocol.dialect,
        extension,
        extensions,
        access: protocol.scope === undefined ? inferenceAccess : accessTo(protocol.scope),
        guard,
        calls,
        controller: new ProtocolController(protocol, responder, config.secret),
        serializeError: serializers[protocol.errors],
        reply: (res, response, status) => adapter.reply(res, response, status),
        fail: (req, res, error) => {
          adapter.fail(req, res, error);
        },
      };
      const handler: RequestHandler = (req, res) => {
        new InferenceExchange(route, req, res).start();
      };
      if (extension === undefined) adapter.serve(protocol.path, handler);
      else adapter.serve(protocol.path, handler, () => extensions.isServed(extension));
    }
  }
}
