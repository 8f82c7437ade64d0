/** `/api/operations` on a real socket and a real database, with fake nodes. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Subject } from 'rxjs';
import { DataSource } from 'typeorm';
import { createClusterId, createNodeId, type AccountId, type NodeId } from '../../../src/kernel/ids.js';
import type { CommandMessage, ProgressMessage, ResultMessage } from '../../../src/link/messages.js';
import { AccountEntity } from '../../../src/relay/accounts/account.entity.js';
import { CliTokensService } from '../../../src/relay/accounts/cli-tokens.service.js';
import { ClusterEntity } from '../../../src/relay/clusters/cluster.entity.js';
import { Catalogue } from '../../../src/relay/inventory/catalogue.js';
import { OperationEventsController } from '../../../src/relay/operations/operation-events.controller.js';
import { OperationRecords } from '../../../src/relay/operations/operation-records.js';
import { OperationTargets } from '../../../src/relay/operations/operation-targets.js';
import { OperationsController } from '../../../src/relay/operations/operations.controller.js';
import { AccountPreloader } from '../../../src/relay/nodes/account-preloader.js';
import { NodeEntity } from '../../../src/relay/nodes/node.entity.js';
import { NodesService } from '../../../src/relay/nodes/nodes.service.js';
import { NodeRegistry } from '../../../src/relay/nodes/registry/node-registry.js';
import type { NodeChange, ReportedModel } from '../../../src/relay/nodes/registry/online-node.js';
import type { CommandedNode, OperationReports } from '../../../src/relay/nodes/registry/operation-reports.js';
import { OperationEntity } from '../../../src/relay/operations/operation.entity.js';
import { OperationsService } from '../../../src/relay/operations/operations.service.js';
import { OperationsStore } from '../../../src/relay/operations/operations.store.js';
import { ReachableNodes, type NodesOfReplicas } from '../../../src/relay/nodes/registry/reachable-nodes.js';
import { startManagementHarness, type ManagementHarness } from './management.harness.js';
import { FakeFleet, FakeNode } from './routing-fleet.js';

/** A node that records its commands and sends the reports of the test. */
export class RecordingNode extends FakeNode implements CommandedNode {
  readonly commands: CommandMessage[] = [];

  constructor(
    name: string,
    override readonly nodeId: NodeId,
    override readonly accountId: AccountId,
    models: readonly Partial<ReportedModel>[],
  ) {
    super(name, { models });
  }

  sendCommand(message: CommandMessage): boolean {
    this.commands.push(message);
    return true;
  }
}

const noNodesOfReplicas: NodesOfReplicas = { find: () => undefined, reports: () => Promise.resolve(new Map()) };

/** A fake registry: the test decides which nodes are online. */
class RecordingRegistry {
  readonly changes$ = new Subject<NodeChange>();
  readonly online = new Map<NodeId, RecordingNode>();
  reports: OperationReports | undefined;

  find(accountId: AccountId, nodeId: NodeId): RecordingNode | undefined {
    const node = this.online.get(nodeId);
    return node?.accountId === accountId ? node : undefined;
  }

  onlineIn(accountId: AccountId): RecordingNode[] {
    return [...this.online.values()].filter((node) => node.accountId === accountId);
  }

  sendCommand(accountId: AccountId, nodeId: NodeId, message: CommandMessage): boolean {
    return this.find(accountId, nodeId)?.sendCommand(message) ?? false;
  }

  reportOperationsTo(reports: OperationReports): void {
    this.reports = reports;
  }
}

interface ReceivedResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Requests to `/api/operations` with a CLI token. */
export class OperationsClient {
  constructor(
    private readonly url: string,
    readonly token: string,
  ) {}

  request(method: string, path: string, body?: object, credential = this.token): Promise<Response> {
    return fetch(`${this.url}/api/operations${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async call(method: string, path: string, body?: object, credential?: string): Promise<ReceivedResponse> {
    const response = await this.request(method, path, body, credential);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** @returns the id of the new operation */
  async begin(body: object): Promise<string> {
    const response = await this.call('POST', '', body);
    if (response.status !== 202) throw new Error(JSON.stringify(response));
    return String(response.body['id']);
  }
}

export class OperationsApiHarness {
  readonly registry = new RecordingRegistry();
  readonly preloader = new AccountPreloader();
  management!: ManagementHarness;

  private readonly enrolled: { accountId: AccountId; nodeId: NodeId; name: string }[] = [];

  static async start(env: Readonly<Record<string, string>> = {}): Promise<OperationsApiHarness> {
    const self = new OperationsApiHarness();
    self.management = await startManagementHarness({
      env,
      imports: [TypeOrmModule.forFeature([OperationEntity, NodeEntity])],
      controllers: [OperationEventsController, OperationsController],
      providers: [
        OperationsStore,
        OperationsService,
        OperationTargets,
        OperationRecords,
        { provide: NodeRegistry, useValue: self.registry },
        { provide: ReachableNodes, useValue: new ReachableNodes(self.registry, noNodesOfReplicas) },
        { provide: AccountPreloader, useValue: self.preloader },
        {
          provide: NodesService,
          useValue: {
            list: (account: AccountId) =>
              Promise.resolve(self.enrolled.filter(({ accountId }) => accountId === account)),
          },
        },
        {
          provide: Catalogue,
          useValue: {
            find: (account: AccountId, model: string) => new FakeFleet(self.registry.onlineIn(account)).find(model),
          },
        },
      ],
    });
    return self;
  }

  /** A new account and its management API. */
  async addAccount(accountId: AccountId): Promise<OperationsClient> {
    await this.dataSource.manager.insert(AccountEntity, { id: accountId, name: accountId });
    const token = await this.management.app.get(CliTokensService).replace(accountId, 'test');
    return new OperationsClient(this.management.url, token);
  }

  /** An enrolled node that is online. */
  async addNode(
    accountId: AccountId,
    name: string,
    models: readonly Partial<ReportedModel>[] = [{}],
  ): Promise<RecordingNode> {
    const clusterId = createClusterId();
    const nodeId = createNodeId();
    await this.dataSource.manager.insert(ClusterEntity, { accountId, id: clusterId, name: clusterId });
    await this.dataSource.manager.insert(NodeEntity, {
      accountId,
      id: nodeId,
      clusterId,
      name,
      state: 'active',
      publicKey: Buffer.alloc(32),
      platform: 'linux-x64',
      agentVersion: '0.1.0',
    });
    this.enrolled.push({ accountId, nodeId, name });
    const node = new RecordingNode(name, nodeId, accountId, models);
    await this.connect(node);
    return node;
  }

  /** As on a real link, stored operations are in memory before the node is online. */
  async connect(node: RecordingNode): Promise<void> {
    await this.preloader.run(node.accountId);
    this.registry.online.set(node.nodeId, node);
    this.announce(node, 'connected');
    this.registry.reports?.onNodeReady(node);
  }

  disconnect(node: RecordingNode): void {
    this.registry.online.delete(node.nodeId);
    this.announce(node, 'disconnected');
  }

  async revoke(node: RecordingNode): Promise<void> {
    const { accountId, nodeId } = node;
    await this.dataSource.manager.update(NodeEntity, { accountId, id: nodeId }, { state: 'revoked' });
    this.disconnect(node);
    this.announce(node, 'revoked');
  }

  progress(node: RecordingNode, id: string, values: Partial<ProgressMessage> = {}): void {
    this.registry.reports?.onProgress(node, {
      operation_id: id,
      state: 'running',
      phase: 'downloading',
      completed_bytes: null,
      total_bytes: null,
      ...values,
    });
  }

  result(node: RecordingNode, id: string, values: Partial<ResultMessage> = {}): void {
    this.registry.reports?.onResult(node, {
      operation_id: id,
      outcome: 'succeeded',
      failure: null,
      model_key: null,
      ...values,
    });
  }

  get dataSource(): DataSource {
    return this.management.app.get(DataSource);
  }

  close(): Promise<void> {
    return this.management.close();
  }

  private announce({ accountId, nodeId }: RecordingNode, kind: NodeChange['kind']): void {
    this.registry.changes$.next({ accountId, nodeId, kind });
  }
}

/** A relay for all tests of a file, and a new account for each test. */
export interface OperationsApiSuite {
  app: OperationsApiHarness;
  accountId: AccountId;
  api: OperationsClient;
  otherAccount: OperationsClient;
}

export function operationsApiSuite(): OperationsApiSuite {
  const suite = {} as OperationsApiSuite;
  let accounts = 0;

  beforeAll(async () => {
    const env = { FERRY_OPERATIONS_PER_NODE: '2', FERRY_OPERATION_FEEDS_PER_ACCOUNT: '3' };
    suite.app = await OperationsApiHarness.start(env);
    suite.otherAccount = await suite.app.addAccount('acc_other' as AccountId);
  }, 120_000);

  afterAll(async () => {
    await suite.app.close();
  });

  beforeEach(async () => {
    accounts += 1;
    suite.accountId = `acc_${accounts}` as AccountId;
    suite.api = await suite.app.addAccount(suite.accountId);
  });

  return suite;
}
