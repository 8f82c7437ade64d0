import { execFileSync } from 'node:child_process';

/** @returns "Node 24", by which figures are told apart */
export function nodeTitle(node: string): string {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' });
  return `Node ${/\d+/.exec(version)?.[0] ?? version}`;
}
