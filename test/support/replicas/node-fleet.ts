/** Many real nodes with one engine, in one process: with a process each, a machine with few cores would measure its scheduler. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryRoot } from '../process/ferry-process.js';
import type { RelayClient } from '../process/relay-client.js';

interface NodeRecord {
  readonly node_id: string;
  readonly online: boolean;
}

export class NodeFleet {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    readonly count: number,
  ) {}

  /** @param relay the address that the nodes join */
  static async start(relay: RelayClient, engineUrl: string, count: number): Promise<NodeFleet> {
    const directory = await mkdtemp(path.join(tmpdir(), 'ferry-fleet-'));
    const joinTokens: string[] = [];
    for (let index = 0; index < count; index += 1)
      joinTokens.push((await relay.manage<{ join_token: string }>('POST', '/join-tokens', {})).join_token);
    const child = fork(path.join(repositoryRoot, 'bench/fleet/serving-nodes.program.ts'), [], {
      execArgv: ['--import', 'tsx'],
      env: Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !name.startsWith('FERRY_') && name !== 'NODE_OPTIONS'),
      ),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const fleet = new NodeFleet(child, directory, count);
    const responded = once(child, 'message') as Promise<[{ readonly reply?: string; readonly failure?: string }]>;
    child.send({ relayUrl: relay.baseUrl, engineUrl, directory, joinTokens });
    const [response] = await Promise.race([
      responded,
      once(child, 'exit').then((): never => {
        throw new Error('the process with the nodes ended');
      }),
    ]);
    if (response.failure !== undefined) throw new Error(`the nodes did not start: ${response.failure}`);
    return fleet;
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the process with the nodes did not start');
    return this.child.pid;
  }

  /** Nodes that this relay can reach, by its own links or through another relay. */
  async onlineAt(relay: RelayClient): Promise<number> {
    const { data } = await relay.manage<{ data: readonly NodeRecord[] }>('GET', '/nodes?limit=100');
    return data.filter(({ online }) => online).length;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exited;
    }
    await rm(this.directory, { recursive: true, force: true });
  }
}
