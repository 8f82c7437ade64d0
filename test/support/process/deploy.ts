/** The usual deployment of an end-to-end spec: a relay, a node and optionally a fake engine. */
import { afterAll, beforeAll } from '@jest/globals';
import { FakeEngine, type FakeEngineOptions } from '../engine/fake-engine.js';
import { TestNode, type NodeOptions } from './test-node.js';
import { TestRelay, type RelayOptions } from './test-relay.js';

export interface DeploymentOptions {
  readonly relay?: RelayOptions;
  /** Absent: the built-in engine with `tiny`. Otherwise a fake engine, with these fields in the node's engines file. */
  readonly engine?: Readonly<Record<string, unknown>>;
  readonly fake?: FakeEngineOptions;
  readonly node?: Omit<NodeOptions, 'engines'>;
}

export interface Deployment {
  readonly relay: TestRelay;
  readonly node: TestNode;
}

export interface FakedDeployment extends Deployment {
  readonly engine: FakeEngine;
}

type Use<Started> = (deployment: Started) => unknown;
type WithEngine = Required<Pick<DeploymentOptions, 'engine'>>;

/**
 * Starts the deployment before the tests of the block and stops it after them.
 * @param use called with it before the first test
 */
export function deploy(options: DeploymentOptions & WithEngine, use: Use<FakedDeployment>): void;
export function deploy(options: Omit<DeploymentOptions, 'engine' | 'fake'>, use: Use<Deployment>): void;
export function deploy(options: DeploymentOptions, use: Use<FakedDeployment> | Use<Deployment>): void {
  const started: { stop(): Promise<void> }[] = [];
  const begun = <Part extends { stop(): Promise<void> }>(part: Part): Part => {
    started.unshift(part);
    return part;
  };

  beforeAll(async () => {
    const relay = begun(await TestRelay.start(options.relay));
    if (options.engine === undefined) {
      await (use as Use<Deployment>)({ relay, node: begun(await TestNode.start(relay, options.node)) });
      return;
    }
    const engine = begun(await FakeEngine.start(options.fake));
    const engines = [{ kind: 'openai-compatible' as const, base_url: engine.url, ...options.engine }];
    await use({ relay, engine, node: begun(await TestNode.start(relay, { ...options.node, engines })) });
  }, 120_000);

  afterAll(async () => {
    for (const part of started) await part.stop();
  }, 60_000);
}
