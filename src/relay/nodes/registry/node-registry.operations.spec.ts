import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeRegistryHarness,
  account,
  nodeId,
  otherAccount,
} from '../../../../test/support/relay/node-registry.harness.js';
import { createNodeId } from '../../../kernel/ids.js';
import type { OperationReports } from './operation-reports.js';

let harness: NodeRegistryHarness;

beforeEach(() => {
  harness = new NodeRegistryHarness();
});

describe('operations of NodeRegistry', () => {
  const operation_id = `op_${'0'.repeat(32)}`;
  const cancel = { verb: 'cancel', operation_id } as const;
  const progress = { operation_id, state: 'running', phase: '', completed_bytes: null, total_bytes: null } as const;
  const result = { operation_id, outcome: 'succeeded', failure: null, model_key: null } as const;
  let received: string[];
  const reports: OperationReports = {
    onNodeReady: (node) => received.push(`ready ${node.nodeId}`),
    onProgress: (node, { state }) => received.push(`${state} ${node.nodeId}`),
    onResult: (node, { outcome }) => received.push(`${outcome} ${node.nodeId}`),
  };

  beforeEach(() => {
    received = [];
    harness.registry.reportOperationsTo(reports);
  });

  it('emits when a node accepts commands, and forwards its reports', () => {
    const { connection, session } = harness.connect('p');
    expect(session.calls).toEqual(['ready']);
    connection.onProgress(progress);
    connection.onResult(result);
    expect(received).toEqual([`ready ${nodeId}`, `running ${nodeId}`, `succeeded ${nodeId}`]);
  });

  it('sends a command to a node of the account, and reports failure', () => {
    const { session } = harness.connect('p');
    expect(harness.registry.sendCommand(account, nodeId, cancel)).toBe(true);
    expect(session.calls.at(-1)).toBe('command cancel');
    expect(harness.registry.sendCommand(otherAccount, nodeId, cancel)).toBe(false);
    expect(harness.registry.sendCommand(account, createNodeId(), cancel)).toBe(false);
    session.goAway({ reason: 'draining' });
    expect(harness.registry.sendCommand(account, nodeId, cancel)).toBe(false);
  });

  it('ignores reports of replaced and refused links', () => {
    const older = harness.connect('p');
    harness.connect('p');
    received.length = 0;
    older.connection.onResult(result);
    harness.registry.revoke(account, nodeId);
    harness.connect('p').connection.onProgress(progress);
    expect(received).toEqual([]);
  });

  it('tolerates four reports a second of eight operations, and closes the link of a flooding node', () => {
    const { connection, session } = harness.connect('p');
    for (let report = 0; report < 4 * 8 * 120; report += 1) {
      harness.clock.advance(1_000 / (4 * 8));
      connection.onProgress(progress);
    }
    expect(session.calls).toEqual(['ready']);
    received.length = 0;
    for (let report = 0; report < 10_000; report += 1) connection.onProgress(progress);
    expect(session.calls.at(-1)).toBe('close 1002 too many reports');
    expect(received.length).toBeLessThanOrEqual(2_400);
  });

  it('operations of NodeRegistry has one listener', () => {
    expect(() => {
      harness.registry.reportOperationsTo(reports);
    }).toThrow('operations have one listener');
  });
});
