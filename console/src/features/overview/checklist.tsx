import { CheckIcon } from '../../components/icons';
import { LinkButton } from '../../components/link-button';
import { CodeBlock } from '../../components/code-block';
import classes from './checklist.module.css';
import type { Overview } from './overview-queries';

type Done = Overview['checklist'];

interface Step {
  readonly key: keyof Done;
  readonly title: string;
  readonly why: string;
  readonly to: '/computers' | '/models' | '/keys' | '/chat';
  readonly search?: Readonly<Record<string, string>>;
  readonly action: string;
  /** Above the command. */
  readonly bridge: string;
  readonly command: string;
}

const INSTALLED = 'Or, where Ferry is already installed:';

const steps: readonly Step[] = [
  {
    key: 'has_node',
    title: 'Add a computer',
    why: 'One command on any computer with a model engine, or without one. It calls out by itself: no port has to be opened.',
    to: '/computers',
    search: { add: '1' },
    action: 'Add a computer',
    bridge: INSTALLED,
    command: 'ferry nodes join-token',
  },
  {
    key: 'has_loaded_model',
    title: 'Load a model',
    why: 'Choose one that is installed, or install one from Ollama or Hugging Face.',
    to: '/models',
    action: 'Choose a model',
    bridge: INSTALLED,
    command: 'ferry run tiny',
  },
  {
    key: 'has_key',
    title: 'Create an API key',
    why: 'Programs send it with each request. You set its limits and the clusters that it can use.',
    to: '/keys',
    search: { create: '1' },
    action: 'Create a key',
    bridge: INSTALLED,
    command: 'ferry keys create "my app"',
  },
  {
    key: 'has_request',
    title: 'Call the API',
    why: 'It speaks the protocols of OpenAI and Anthropic: give a client this address, or try it in the chat first.',
    to: '/chat',
    action: 'Try it in the chat',
    bridge: 'Or with the key, in any terminal:',
    command: '',
  },
];

export const isDone = (done: Done): boolean => steps.every(({ key }) => done[key]);

/** The way to the first response. Steps tick themselves, by the live feed. */
export function Checklist({ done }: { readonly done: Done }) {
  const current = steps.find(({ key }) => !done[key]);
  return (
    <ol className={classes.list}>
      {steps.map((step, index) => (
        <li key={step.key} className={classes.step} aria-current={step === current ? 'step' : undefined}>
          <span className={classes.mark} data-done={done[step.key] || undefined}>
            {done[step.key] ? <CheckIcon /> : index + 1}
          </span>
          <div className={classes.words}>
            <h2 className={classes.title}>
              {step.title}
              {done[step.key] && <span className={classes.done}> – done</span>}
            </h2>
            {step === current && <CurrentStep step={step} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

function CurrentStep({ step }: { readonly step: Step }) {
  return (
    <>
      <p className={classes.why}>{step.why}</p>
      <LinkButton to={step.to} search={step.search ?? {}}>
        {step.action}
      </LinkButton>
      <div className={classes.command}>
        <p className={classes.bridge}>{step.bridge}</p>
        <CodeBlock code={step.command === '' ? curl() : step.command} label="command" title="Terminal" wrap />
      </div>
    </>
  );
}

const curl = (): string => `curl ${globalThis.location.origin}/v1/models -H "Authorization: Bearer $FERRY_API_KEY"`;
