import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { NEVER } from 'rxjs';
import { systemClock } from '../../../src/kernel/clock.js';
import { loadSettings } from '../../../src/kernel/settings/settings.js';
import { NodeHealth } from '../../../src/relay/nodes/health/node-health.js';
import { NodesModule } from '../../../src/relay/nodes/nodes.module.js';
import { NodeRegistry } from '../../../src/relay/nodes/registry/node-registry.js';
import {
  NODES_OF_REPLICAS,
  ReachableNodes,
  type NodesOfReplicas,
} from '../../../src/relay/nodes/registry/reachable-nodes.js';
import { createRelayConfig } from '../../../src/relay/platform/config/relay-config.js';
import { relaySettings } from '../../../src/relay/platform/config/relay-settings.js';
import { DrainRegistry } from '../../../src/relay/platform/lifecycle/drain-registry.js';
import { PlatformModule } from '../../../src/relay/platform/platform.module.js';
import { TimerWheel } from '../../../src/relay/platform/timing/timer-wheel.js';
import { PresenceModule } from '../../../src/relay/replicas/presence/presence.module.js';
import { SimulatedNodes } from './presence.harness.js';

/** The modules of one replica that speak with the others, with simulated nodes. */
export class ReplicaApplication {
  private constructor(
    readonly application: INestApplicationContext,
    readonly nodes: SimulatedNodes,
    private readonly dataDirectory: string,
  ) {}

  static async start(env: Readonly<Record<string, string>>): Promise<ReplicaApplication> {
    const dataDirectory = await mkdtemp(path.join(tmpdir(), 'ferry-replica-'));
    const settings = loadSettings(relaySettings, env).values;
    const { config } = createRelayConfig({ settings, dataDirectory, version: '0.1.0', secret: 'x'.repeat(32) });
    const nodes = new SimulatedNodes();
    @Module({
      providers: [
        { provide: NodeRegistry, useValue: nodes },
        {
          provide: NodeHealth,
          inject: [TimerWheel],
          useFactory: (timers: TimerWheel) => new NodeHealth({ clock: systemClock, timers, limits: settings }),
        },
        {
          provide: ReachableNodes,
          inject: [NODES_OF_REPLICAS],
          useFactory: (elsewhere: NodesOfReplicas) =>
            new ReachableNodes({ changes$: NEVER, onlineIn: () => [], find: () => undefined }, elsewhere),
        },
      ],
      exports: [NodeRegistry, NodeHealth, ReachableNodes],
    })
    class SimulatedNodesModule {}
    const module = await Test.createTestingModule({
      imports: [PlatformModule.forRoot(config, new DrainRegistry()), PresenceModule],
    })
      .overrideModule(NodesModule)
      .useModule(SimulatedNodesModule)
      .compile();
    return new ReplicaApplication(await module.init(), nodes, dataDirectory);
  }

  async stop(): Promise<void> {
    await this.application.close();
    await rm(this.dataDirectory, { recursive: true });
  }
}
