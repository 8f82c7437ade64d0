/** Clients that never read from a node whose engine writes fast, and their cost for the relay, the node and another stream. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { AllocationMeter } from '../process/allocation-meter.js';
import { allEvents } from './event-stream.js';
import { TestNode } from '../process/test-node.js';
import { cpuSeconds } from '../process/process-cpu.js';
import { residentBytes } from '../process/process-memory.js';
import { TestRelay } from '../process/test-relay.js';

const MEBIBYTE = 1_048_576;
const ENGINE_BYTES_PER_SECOND = 2_000_000;
/** JIT compilers must have settled before anything is measured. */
const WARM_UP_MS = 6_000;
const WARM_UP_CLIENTS = 16;
const SAMPLE_MS = 250;
const NEIGHBOUR_RUNS = 9;

/** Memory is reported relative to the value before the first client. */
export interface CrowdFigures {
  /** Maximum resident memory, without the young generation ({@link AllocationMeter.residentBytes}). */
  readonly nodeGrownMib: number;
  readonly relayGrownMib: number;
  /** Maximum resident memory, with it. */
  readonly nodeWholeGrownMib: number;
  /** Resident memory five seconds after the clients have disconnected, without the young generation. */
  readonly nodeKeptMib: number;
  readonly relayKeptMib: number;
  /** Memory that the node uses after a full collection, with the clients and five seconds after they have disconnected. */
  readonly nodeLiveHeldMib: number;
  readonly nodeLiveKeptMib: number;
  /** Median of a paced stream of the same node, without and with the clients that do not read. */
  readonly neighbourAloneMs: number;
  readonly neighbourMs: number;
  readonly neighbourWorstMs: number;
  /** Lower quartile of the time beyond that of the same stream sent by the engine directly and concurrently, which excludes the load of engine and machine. */
  readonly neighbourAddedMs: number;
  /** Share of one processor. */
  readonly nodeCpuShare: number;
}

interface Resident {
  readonly node: number;
  readonly relay: number;
  readonly nodeWhole: number;
}

interface Neighbour {
  readonly tookMs: number;
  readonly addedMs: number;
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;
const median = (values: readonly number[]): number => quantile(values, 0.5);

export class UnreadCrowd {
  private readonly sockets: Socket[] = [];

  private constructor(
    private readonly engine: ChildProcess,
    private readonly relay: TestRelay,
    private readonly node: TestNode,
    private readonly directory: string,
    private readonly engineUrl: string,
    private readonly meters: Readonly<Record<'node' | 'relay', AllocationMeter>>,
  ) {}

  static async start(slots: number): Promise<UnreadCrowd> {
    const engine = spawn(
      process.execPath,
      [path.join(import.meta.dirname, '../engine/flood-engine.js'), String(ENGINE_BYTES_PER_SECOND)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [port] = (await once(createInterface({ input: engine.stdout }), 'line')) as [string];
    const engineUrl = `http://127.0.0.1:${port}`;
    const directory = await mkdtemp(path.join(tmpdir(), 'ferry-crowd-'));
    const meters = {
      node: new AllocationMeter(path.join(directory, 'node')),
      relay: new AllocationMeter(path.join(directory, 'relay')),
    };
    const relay = await TestRelay.start({ env: meters.relay.env });
    const node = await TestNode.start(relay, {
      env: meters.node.env,
      engines: [{ kind: 'openai-compatible', base_url: engineUrl, slots }],
    });
    return new UnreadCrowd(engine, relay, node, directory, engineUrl, meters);
  }

  /** @param floodMs how long the clients stay connected */
  async measure(clients: number, floodMs: number): Promise<CrowdFigures> {
    await this.neighbours(3);
    // Before the warm-up, which grows the heap back to its working size.
    const liveBefore = await this.meters.node.liveBytes();
    await this.warmUp();
    const neighbourAloneMs = median((await this.neighbours(NEIGHBOUR_RUNS)).map(({ tookMs }) => tookMs));
    const before = await this.resident();
    const cpuBefore = cpuSeconds(this.node.process.pid);
    await this.join(clients);
    const grown = { node: 0, relay: 0, nodeWhole: 0 };
    const sample = async (): Promise<void> => {
      const now = await this.resident();
      // The smaller of both: pages of a young generation that has shrunk since `before` stay resident and would count as growth.
      const nodeGrown = Math.min(now.node - before.node, now.nodeWhole - before.nodeWhole);
      grown.node = Math.max(grown.node, nodeGrown);
      grown.relay = Math.max(grown.relay, now.relay - before.relay);
      grown.nodeWhole = Math.max(grown.nodeWhole, now.nodeWhole - before.nodeWhole);
    };
    const sampler = setInterval(() => void sample(), SAMPLE_MS);
    const from = performance.now();
    const neighbours: Neighbour[] = [];
    while (performance.now() - from < floodMs) neighbours.push(...(await this.neighbours(1)));
    const nodeCpuShare = (cpuSeconds(this.node.process.pid) - cpuBefore) / ((performance.now() - from) / 1_000);
    clearInterval(sampler);
    // Only after the growth has been measured, because old garbage is part of it.
    const liveHeld = await this.meters.node.liveBytes();
    this.leave();
    await delay(5_000);
    const after = await this.resident();
    const liveAfter = await this.meters.node.liveBytes();
    const took = neighbours.map(({ tookMs }) => tookMs);
    return {
      nodeGrownMib: grown.node / MEBIBYTE,
      relayGrownMib: grown.relay / MEBIBYTE,
      nodeWholeGrownMib: grown.nodeWhole / MEBIBYTE,
      nodeKeptMib: (after.node - before.node) / MEBIBYTE,
      relayKeptMib: (after.relay - before.relay) / MEBIBYTE,
      nodeLiveHeldMib: (liveHeld - liveBefore) / MEBIBYTE,
      nodeLiveKeptMib: (liveAfter - liveBefore) / MEBIBYTE,
      neighbourAloneMs,
      neighbourMs: median(took),
      neighbourWorstMs: Math.max(...took),
      neighbourAddedMs: quantile(
        neighbours.map(({ addedMs }) => addedMs),
        0.25,
      ),
      nodeCpuShare,
    };
  }

  async stop(): Promise<void> {
    this.leave();
    await this.node.stop();
    await this.relay.stop();
    this.engine.kill();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Brings both processes to their working size, so that only the clients that do not read are measured. */
  private async warmUp(): Promise<void> {
    await this.join(WARM_UP_CLIENTS);
    for (const socket of this.sockets) socket.resume();
    await delay(WARM_UP_MS);
    this.leave();
    await delay(1_000);
  }

  private async join(clients: number): Promise<void> {
    const joined = await Promise.all(Array.from({ length: clients }, () => this.unread()));
    this.sockets.push(...joined);
  }

  private leave(): void {
    for (const socket of this.sockets.splice(0)) socket.destroy();
  }

  private async neighbours(times: number): Promise<Neighbour[]> {
    const request = { model: 'flood', stream: true, messages: [{ role: 'user', content: 'paced' }] };
    const found: Neighbour[] = [];
    for (let asked = 0; asked < times; asked += 1) {
      const [tookMs, ofEngineMs] = await Promise.all([
        timeToEnd(this.relay.chat(request)),
        timeToEnd(fetch(`${this.engineUrl}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(request) })),
      ]);
      found.push({ tookMs, addedMs: tookMs - ofEngineMs });
    }
    return found;
  }

  private async unread(): Promise<Socket> {
    const { hostname, port } = new URL(this.relay.baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const body = JSON.stringify({
      model: 'flood',
      stream: true,
      messages: [{ role: 'user', content: 'flood please' }],
    });
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${this.relay.apiKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    if (!head.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(head.toString('latin1', 0, 200));
    return socket;
  }

  private async resident(): Promise<Resident> {
    const [node, relay] = await Promise.all([this.meters.node.residentBytes(), this.meters.relay.residentBytes()]);
    return { node, relay, nodeWhole: residentBytes(this.node.process.pid) };
  }
}

async function timeToEnd(response: Promise<Response>): Promise<number> {
  const from = performance.now();
  await allEvents(await response);
  return performance.now() - from;
}
