/** Names as Ollama spells them: `[host/][namespace/]model[:tag]`, without regard to case. */

const MAX_NAME_CHARACTERS = 200;
/** What Ollama leaves out itself when it can, but accepts and now and then tells. */
const defaultPrefix = /^(?:registry\.ollama\.ai\/)?(?:library\/)?(?=[^/]+$)/;
const defaultTag = /:latest$/;
/** A model of somebody else's computer with a local name only: `gpt-oss:120b-cloud`, `kimi-k2:cloud`. */
const cloudTag = /[:-]cloud$/i;

/**
 * One name for one model on every node (docs/reference/inventory.md#model-identity): in lower case, without the default registry and
 * namespace, without `:latest`.
 * `Qwen3:8B` and `library/qwen3:8b` are `qwen3:8b`; `llama3:latest` is `llama3`; `hf.co/Owner/Repo:Q4_K_M` keeps all but its capitals.
 */
export const canonicalOllamaName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/^registry\.ollama\.ai\/(?!library\/)/, '')
    .replace(defaultPrefix, '')
    .replace(defaultTag, '')
    .slice(0, MAX_NAME_CHARACTERS);

/** Whether two names are of the same model: `/api/ps` may spell a name differently from `/api/tags`. */
export const sameOllamaModel = (one: string, other: string): boolean =>
  canonicalOllamaName(one) === canonicalOllamaName(other);

/** Runs on a computer that is not the owner's, so it is none of this node's models (docs/reference/engines.md#ollama). */
export const isCloudModel = (name: string, entry: Readonly<Record<string, unknown>>): boolean =>
  isNamed(entry['remote_model']) || isNamed(entry['remote_host']) || cloudTag.test(name);

const isNamed = (value: unknown): boolean => typeof value === 'string' && value !== '';
