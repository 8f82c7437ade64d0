import { nodeCommands, type Command } from './node-commands';
import { engineName, engineTitle, type Node } from './node-facts';

export interface Remedy {
  /** A sentence. */
  readonly problem: string;
  readonly advice: string;
  /** To be run on that computer, unless the advice says otherwise. */
  readonly commands?: readonly Command[];
}

const starts: Readonly<Record<string, string>> = {
  ollama: 'ollama serve',
  lmstudio: 'lms server start',
};

/** What to do about the problem of a computer; null: it has none. @param isGone as for `nodeState` */
export function remedyOf(node: Node, isGone = false): Remedy | null {
  const doctor = nodeCommands('doctor', node.platform);
  if (node.status === 'pending') {
    return {
      problem: 'It waits until its fingerprint is confirmed.',
      advice: `Compare the words on its screen with these: ${node.fingerprint}. If they are the same, confirm it on its page.`,
    };
  }
  if (isGone) {
    return {
      problem: 'It lost its connection and has not come back.',
      advice: startAdvice(node),
      commands: nodeCommands('run', node.platform),
    };
  }
  if (node.problem === null) {
    if (!node.online || node.health !== 'suspect') return null;
    return {
      problem: 'Requests to it fail or stall; others are preferred.',
      advice: 'This shows what stands in its way. Run it on that computer:',
      commands: doctor,
    };
  }
  const failing = node.engines.filter(({ problem }) => problem !== null);
  const [engine] = failing;
  if (failing.length === 1 && engine !== undefined) {
    const command = starts[engine.kind];
    const address = engine.name.split('@')[1];
    return {
      problem: `${engineSubject(engine)} ${engine.problem ?? 'does not serve'}.`,
      advice:
        command === undefined
          ? `Start the engine${address === undefined ? '' : ` at ${address}`} on ${node.name}. If it is running, this command shows what is wrong:`
          : `Start ${engineName(engine.kind)} on ${node.name}. Ferry notices by itself.`,
      commands: command === undefined ? doctor : [{ command }],
    };
  }
  return {
    problem: node.problem,
    advice: `This shows what stands in its way. Run it on ${node.name}:`,
    commands: doctor,
  };
}

const startAdvice = ({ name }: Pick<Node, 'name'>): string =>
  `Switch ${name} on. If Ferry does not start by itself there, start it:`;

/** Begins a sentence: "Ollama", or "The OpenAI-compatible engine at 127.0.0.1:9000", whose kind is no name. */
function engineSubject(engine: Node['engines'][number]): string {
  const [, address] = engine.name.split('@');
  if (engine.kind === 'openai-compatible') {
    return `The OpenAI-compatible engine${address === undefined ? '' : ` at ${address}`}`;
  }
  return engine.kind === 'llamacpp' ? 'The built-in engine' : engineTitle(engine);
}
