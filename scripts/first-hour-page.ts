/** `docs/guide/first-hour.md` is recorded: `npm run docs:first-hour` clones, installs and starts Ferry in a fresh home, and types the rest. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { FirstHour, type Scene } from './first-hour/first-hour.js';

const root = path.resolve(import.meta.dirname, '..');

const introduction = `# The first hour

Recorded by \`npm run docs:first-hour\`: every command below was typed into a terminal of 80 × 24 characters, on a computer that had nothing of
Ferry before. Addresses, ports, paths and secrets are replaced by others; Ollama and systemd are played by test programs, so the answers say nothing.
Both computers and the second person are processes with a home of their own, which reach each other over the network address of one machine.
\`ferry\` is \`npx ferry\` in the folder of the clone.
`;

const section = ({ title, text, screen }: Scene): string =>
  `\n## ${title}\n\n${text}\n\n\`\`\`text\n${screen}\n\`\`\`\n`;

const scenes = await FirstHour.record({
  repository: root,
  ...(process.argv.includes('--this-checkout') && { checkout: root }),
});
if (scenes === undefined) {
  process.stderr.write('error: the first hour needs a network address besides loopback, and tmux\n');
  process.exitCode = 1;
} else {
  writeFileSync(path.join(root, 'docs/guide/first-hour.md'), [introduction, ...scenes.map(section)].join(''));
}
