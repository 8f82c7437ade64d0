/** Ollama's model names: `[host/][namespace/]model[:tag]`, case-insensitive. */

const MAX_NAME_CHARACTERS = 200;
/** The default prefix, which Ollama accepts and sometimes reports. */
const defaultPrefix = /^(?:registry\.ollama\.ai\/)?(?:library\/)?(?=[^/]+$)/;
const defaultTag = /:latest$/;
/** Models that run in Ollama's cloud: `gpt-oss:120b-cloud`, `kimi-k2:cloud`. */
const cloudTag = /[:-]cloud$/i;

/**
 * The canonical name (docs/reference/inventory.md#model-identity): in lower case, without the default registry and namespace, without
 * `:latest`. `Qwen3:8B` and `library/qwen3:8b` are `qwen3:8b`; `llama3:latest` is `llama3`.
 */
export const canonicalOllamaName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/^registry\.ollama\.ai\/(?!library\/)/, '')
    .replace(defaultPrefix, '')
    .replace(defaultTag, '')
    .slice(0, MAX_NAME_CHARACTERS);

/** Whether two names are of the same model: `/api/ps` and `/api/tags` may spell a name differently. */
export const sameOllamaModel = (one: string, other: string): boolean =>
  canonicalOllamaName(one) === canonicalOllamaName(other);

/** Whether the model runs in Ollama's cloud and is therefore not a model of this node (docs/reference/engines.md#ollama). */
export const isCloudModel = (name: string, entry: Readonly<Record<string, unknown>>): boolean =>
  isNamed(entry['remote_model']) || isNamed(entry['remote_host']) || cloudTag.test(name);

const isNamed = (value: unknown): boolean => typeof value === 'string' && value !== '';
