import { CodeBlock } from '../../components/code-block';
import { SnippetTabs } from '../../components/snippet-tabs';
import { useExampleModel } from './example-model';
import { keySnippets } from './key-snippets';
import classes from './keys.module.css';
import shared from '../../components/form.module.css';

interface SecretBoxProps {
  /** The key itself. */
  readonly secret: string;
  readonly warnings: readonly string[];
  readonly onCopied: () => void;
}

/** The secret, and how programs use it. */
export function SecretBox({ secret, warnings, onCopied }: SecretBoxProps) {
  const model = useExampleModel();
  return (
    <div className={shared.form}>
      <div className={classes.secret}>
        <p>
          <strong>Copy the key now.</strong> It is not shown again.
        </p>
        <CodeBlock code={secret} label="key" title="API key" wrap onCopied={onCopied} />
      </div>
      {warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          {warning}
        </p>
      ))}
      <SnippetTabs
        label="Use it with"
        snippets={keySnippets(globalThis.location.origin, secret, model)}
        onCopied={onCopied}
      />
    </div>
  );
}
