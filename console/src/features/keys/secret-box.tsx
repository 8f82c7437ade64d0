import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../api/queries';
import { CodeBlock } from '../../components/code-block';
import { SnippetTabs } from '../../components/snippet-tabs';
import { keySnippets } from './key-snippets';
import classes from './keys.module.css';
import shared from '../../components/form.module.css';

interface SecretBoxProps {
  /** The key itself. */
  readonly secret: string;
  readonly warnings: readonly string[];
  readonly onClose: () => void;
}

/** The secret stands here once: it is in no cache and in no URL. */
export function SecretBox({ secret, warnings, onClose }: SecretBoxProps) {
  const { data: models = [] } = useQuery(modelsQuery);
  const model = (models.find(({ loaded }) => loaded) ?? models[0])?.id ?? 'tiny';
  return (
    <div className={shared.form}>
      <div className={classes.secret}>
        <p>
          <strong>Copy the key now.</strong> It is not shown again.
        </p>
        <CodeBlock code={secret} label="key" wrap />
      </div>
      {warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          {warning}
        </p>
      ))}
      <SnippetTabs label="Use it with" snippets={keySnippets(globalThis.location.origin, secret, model)} />
      <div className={classes.buttons}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  );
}
