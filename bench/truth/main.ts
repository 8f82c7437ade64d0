/**
 * `npm run bench:truth`: what a client is told when something fails, through Ferry and through other programs between client and engine.
 * See docs/internals/performance.md#truth-under-failure.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../child.js';
import { direct } from '../targets/direct.js';
import { ferryWith } from '../targets/ferry.js';
import { nginx } from '../targets/nginx.js';
import { nodeProxy } from '../targets/node-proxy.js';
import { peerOf } from '../targets/peer.js';
import { portkey } from '../targets/portkey.js';
import { sshTunnel } from '../targets/ssh-tunnel.js';
import type { Target } from '../targets/target.js';
import { faultCases, requireWhole, type Finding } from './faults.js';
import { FaultyEngine } from './faulty-engine.js';

const { values } = parseArgs({
  options: {
    /** As for `npm run bench`. */
    peer: { type: 'string', multiple: true, default: [] },
    /** Comma-separated names of targets. */
    targets: { type: 'string' },
  },
});
const ferry = ferryWith('Ferry', { database: 'embedded', serving: 1 });
const wanted = values.targets?.split(',');
const targets = [ferry, direct, nginx, nodeProxy, sshTunnel, portkey]
  .filter(({ name }) => wanted?.includes(name) ?? true)
  .concat(values.peer.map(peerOf));
const workDirectory = path.join(repositoryRoot, '.test-artifacts/bench');
rmSync(workDirectory, { recursive: true, force: true });
mkdirSync(workDirectory, { recursive: true });

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const cell = (finding: Finding | null | undefined): string => {
  if (finding == null) return '–';
  return finding.isTold ? finding.text : `**${finding.text}**`;
};

async function findingsOf(target: Target): Promise<readonly (Finding | null)[]> {
  const engine = await FaultyEngine.start();
  try {
    const running = await target.start(engine.url, workDirectory);
    try {
      const scene = { engine, target: running };
      await requireWhole(scene);
      const findings: (Finding | null)[] = [];
      for (const { title, play } of faultCases) {
        const finding = await play(scene);
        findings.push(finding);
        say(`${target.name}, ${title}: ${finding?.text ?? 'does not apply'}`);
      }
      return findings;
    } finally {
      await running.stop();
    }
  } finally {
    engine.stop();
  }
}

const columns = new Map<string, readonly (Finding | null)[]>();
for (const target of targets) {
  try {
    columns.set(target.name, await findingsOf(target));
  } catch (error) {
    say(`${target.name}: not measured: ${error instanceof Error ? error.message : String(error)}`);
  }
}
const rows = faultCases.map(({ title }, at) => [title, ...[...columns.values()].map((column) => cell(column[at]))]);
const table = [['', ...columns.keys()], ['---', ...[...columns].map(() => '---')], ...rows];
process.stdout.write(`${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`);
// Programs of the targets that do not end by themselves.
process.exit(0);
