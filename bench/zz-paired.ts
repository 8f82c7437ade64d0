import net from 'node:net';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startProgram, stop, pidOf } from './child.js';
import { Conversation } from './conversation.js';
import { ferryWith } from './targets/ferry.js';
const roots = process.env.ROOTS!.split(',');
const rounds = Number(process.env.ROUNDS ?? 30), windowMs = Number(process.env.WINDOW ?? 1500), N = Number(process.env.CONNS ?? 64);
const database = (process.env.DB ?? 'postgres') as 'postgres' | 'embedded';
const cpuNs = (pid: number) => { let s = 0; for (const t of readdirSync(`/proc/${pid}/task`)) { try { s += Number(readFileSync(`/proc/${pid}/task/${t}/schedstat`, 'utf8').split(' ')[0]); } catch {} } return s; };
class Load {
  sockets: net.Socket[] = []; running = false; done = 0; bad = 0; first = '';
  request: Buffer;
  constructor(url: string, headers: any) {
    const u = new URL(url);
    const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'x'.repeat(200) }], ...(process.env.STREAM && { stream: true }) });
    this.request = Buffer.from(`POST ${u.pathname} HTTP/1.1\r\nhost: ${u.host}\r\ncontent-type: application/json\r\nauthorization: ${headers.authorization}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    const open = () => {
      const s = net.connect(Number(u.port), u.hostname); s.setNoDelay(true);
      let buf = '';
      s.on('data', (d) => { buf += d.toString('latin1'); const h = buf.indexOf('\r\n\r\n'); if (h < 0) return; const head = buf.slice(0, h); const m = /content-length: (\d+)/i.exec(head); let complete; if (m) complete = buf.length >= h + 4 + Number(m[1]); else complete = buf.endsWith('0\r\n\r\n'); if (!complete) return; if (!buf.startsWith('HTTP/1.1 200')) { this.bad++; this.first ||= buf; } buf = ''; this.done++; if (/connection: close/i.test(head)) { s.destroy(); open(); return; } if (this.running) s.write(this.request); else this.idle.push(s); });
      s.on('error', () => { this.bad++; });
      if (this.running) s.write(this.request); else this.idle.push(s);
    };
    for (let i = 0; i < N; i++) open();
  }
  idle: net.Socket[] = [];
  go() { this.running = true; for (const s of this.idle.splice(0)) s.write(this.request); }
  async pause() { this.running = false; while (this.idle.length < N) await delay(2); }
}

import { once } from 'node:events';
import { reserveRelayCore, moveToRelayCore } from './measure/cores.js';
reserveRelayCore();
const engine = startProgram('engine/mock-engine.program.ts');
const [{ port }] = (await once(engine, 'message')) as any;
const dir = mkdtempSync('/tmp/paired-');
const targets: any[] = [];
for (const root of roots) {
  const r = await ferryWith('x', { database, serving: 4 }, root).start(`http://127.0.0.1:${port}`, dir);
  moveToRelayCore(r.relayPids);
  const load = new Load(r.url, r.headers);
  targets.push({ root, r, load, relay: [] as number[], node: [] as number[] });
}
for (const t of targets) { t.load.go(); await delay(6000); await t.load.pause(); }
for (let i = 0; i < rounds; i++) {
  const order = i % 2 ? [...targets].reverse() : targets;
  for (const t of order) {
    const r0 = cpuNs(t.r.relayPids[0]), n0 = cpuNs(t.r.nodePids[0]), d0 = t.load.done;
    t.load.go(); await delay(windowMs); await t.load.pause();
    const n = t.load.done - d0;
    t.relay.push((cpuNs(t.r.relayPids[0]) - r0) / 1e3 / n); t.node.push((cpuNs(t.r.nodePids[0]) - n0) / 1e3 / n);
  }
}
const med = (a: number[]) => [...a].sort((x, y) => x - y)[a.length >> 1]!;
const sum = (a: number[]) => a.reduce((x, y) => x + y, 0);
const q = (a: number[], f: number) => [...a].sort((x, y) => x - y)[Math.floor(a.length * f)]!;
const b = targets[0];
for (const t of targets) {
  const rr = t.relay.map((x: number, i: number) => x / b.relay[i]), nr = t.node.map((x: number, i: number) => x / b.node[i]);
  console.log(t.root, 'relay µs', med(t.relay).toFixed(1), 'min', Math.min(...t.relay).toFixed(1), 'ratio', med(rr).toFixed(3), `[${q(rr, .25).toFixed(3)} ${q(rr, .75).toFixed(3)}]`, '| node', med(t.node).toFixed(1), 'min', Math.min(...t.node).toFixed(1), 'ratio', med(nr).toFixed(3), `[${q(nr, .25).toFixed(3)} ${q(nr, .75).toFixed(3)}]`, 'sumratio', (sum(t.relay)/sum(b.relay)).toFixed(3), (sum(t.node)/sum(b.node)).toFixed(3), 'requests', t.load.done, 'bad', t.load.bad, t.load.first.slice(0, 300));
}
for (const t of targets) { await t.r.stop(); }
await stop(engine); process.exit(0);
