/** `npm run bench:replicas -- hop|spread|scaled|links`: what several relays cost. Prints JSON. See docs/operate/scaling.md. */
import { once } from 'node:events';
import { pidOf, startProgram, stop } from '../child.js';
import { hopCost } from './hop-cost.js';
import { linkCost } from './link-cost.js';
import { spreadCost } from './spread-cost.js';

const [name] = process.argv.slice(2);
const program = startProgram('engine/mock-engine.program.ts');
const [{ port }] = (await once(program, 'message')) as [{ port: number }];
const engine = { url: `http://127.0.0.1:${port}`, pid: pidOf(program) };
const measurements = {
  hop: () => hopCost(engine),
  spread: () => spreadCost(engine, 'total'),
  scaled: () => spreadCost(engine, 'each'),
  links: linkCost,
};
if (name !== 'hop' && name !== 'spread' && name !== 'scaled' && name !== 'links')
  throw new Error(`usage: npm run bench:replicas -- ${Object.keys(measurements).join('|')}`);
process.stdout.write(`${JSON.stringify(await measurements[name](), null, 2)}\n`);
await stop(program);
process.exit(0);
