import { CodeBlock } from '../../../components/code-block';
import { CommandChoice } from '../../../components/command-choice';
import { nodeCommands } from '../../../components/node-commands';
import type { Node } from '../../../components/node-facts';
import classes from '../models.module.css';

/** A file is not uploaded through the relay: it is put where the engine looks. */
export function FileThere({ node }: { readonly node: Node }) {
  return (
    <div className={classes.sheet}>
      <p className={classes.quiet}>
        Put the GGUF file into the models folder of the built-in engine on {node.name}; all parts of it, if it has
        several. It shows up here by itself within seconds. This tells where the folder is:
      </p>
      <CommandChoice commands={nodeCommands('doctor', node.platform)} />
      <p className={classes.quiet}>
        With Ollama, import the file there instead. LM Studio shows what lies in its own models folder.
      </p>
      <CodeBlock
        code={'echo "FROM ./model.gguf" > Modelfile && ollama create my-model -f Modelfile'}
        label="command"
        title="Terminal"
        wrap
      />
    </div>
  );
}
