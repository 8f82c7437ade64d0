import { Modal } from '@mantine/core';
import { SnippetTabs } from '../../components/snippet-tabs';
import { useExampleModel } from './example-model';
import type { Key } from './key-columns';
import { keySnippets } from './key-snippets';
import shared from '../../components/form.module.css';

interface HowToUseProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

/** The snippets of an existing key, in which the secret is left out: nobody has it but its owner. */
export function HowToUse({ apiKey: { name, key_id, last4 }, onClose }: HowToUseProps) {
  const model = useExampleModel();
  const placeholder = `sk-ferry-${key_id.replace(/^key_/, '')}_REST_OF_THE_KEY`;
  return (
    <Modal opened onClose={onClose} title={`How to use ${name}`} size="xl">
      <div className={shared.form}>
        <p style={{ margin: 0 }}>
          Put the whole key, which ends in <code>{last4}</code>, in place of <code>{placeholder}</code>. It was shown
          once, when it was made; if you lost it, roll the key.
        </p>
        <SnippetTabs label="Use it with" snippets={keySnippets(globalThis.location.origin, placeholder, model)} />
      </div>
    </Modal>
  );
}
