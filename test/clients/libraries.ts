/**
 * The client libraries that `npm test -- clients` runs and that docs/guide/clients.md shows. The program of each is in
 * `test/clients/<language>/<id>`; the page has the part of it between `docs:begin` and `docs:end`.
 */
import type { TestedExtension } from './extension-cases.js';

/** What every program is asked for. */
export const caseNames = [
  'chat',
  'stream',
  'tools',
  'structured',
  'reasoning',
  'usage',
  'error',
  'cut',
  'cancel',
] as const;
export type CaseName = (typeof caseNames)[number];

export type Language = 'go' | 'java' | 'python' | 'rust';

export interface ClientLibrary {
  readonly id: string;
  readonly language: Language;
  readonly title: string;
  /** For the page: what is special about it. */
  readonly note: string;
  /** Of `test/clients/<language>`. */
  readonly program: string;
  /** A folder in that of the language, with a list of packages of its own. */
  readonly project?: string;
  /** What it shows of a stream that fails midway; absent: the words of the relay. */
  readonly cutShows?: string;
  /** From which it gains, and which are tested with it. */
  readonly extensions?: readonly TestedExtension[];
  /** What the library itself has not, and why. */
  readonly lacks?: Readonly<Partial<Record<CaseName, string>>>;
}

export const libraries: readonly ClientLibrary[] = [
  {
    id: 'pydantic-ai',
    language: 'python',
    title: 'Pydantic AI',
    note: '`OpenAIChatModel` speaks Chat Completions, `OpenAIResponsesModel` Responses.',
    program: 'pydantic-ai/program.py',
    extensions: ['json-errors'],
  },
  {
    id: 'openai-agents',
    language: 'python',
    title: 'OpenAI Agents SDK',
    note: 'Switch tracing off: it would send each run to OpenAI.',
    program: 'openai-agents/program.py',
    extensions: ['json-errors'],
  },
  {
    id: 'langgraph',
    language: 'python',
    title: 'LangChain and LangGraph',
    note: '`ChatOpenAI` speaks Chat Completions. It shows reasoning only through Responses: `use_responses_api=True`. `check_embedding_ctx_length=False` has it send texts for [embeddings](../reference/embeddings.md).',
    program: 'langgraph/program.py',
    extensions: ['json-errors', 'embeddings'],
  },
  {
    id: 'instructor',
    language: 'python',
    title: 'Instructor',
    note: '`Mode.JSON_SCHEMA` has the engine follow the schema; the default asks for a tool call.',
    program: 'instructor/program.py',
    extensions: ['json-errors'],
    lacks: {
      tools: 'it has no loop of tools',
      reasoning: 'it returns the object only',
    },
  },
  {
    id: 'smolagents',
    language: 'python',
    title: 'smolagents',
    note: '`ToolCallingAgent` calls tools; `CodeAgent` writes Python and needs a larger model. Leaving a stream ends it when Python collects it.',
    program: 'smolagents/program.py',
    extensions: ['json-errors'],
    lacks: {
      reasoning: 'its messages have no field for it',
    },
  },
  {
    id: 'haystack',
    language: 'python',
    title: 'Haystack',
    note: '`OpenAIChatGenerator` takes the address as `api_base_url`. Leaving a stream ends it when Python collects it.',
    program: 'haystack/program.py',
    extensions: ['json-errors'],
    lacks: {
      reasoning: '`OpenAIChatGenerator` does not read `reasoning_content`',
    },
  },
  {
    id: 'litellm',
    language: 'python',
    title: 'LiteLLM',
    note: 'The prefix `openai/` selects Chat Completions. The [proxy](#litellm-proxy) has a section of its own.',
    program: 'litellm/program.py',
    extensions: ['x-api-key', 'json-errors'],
  },
  {
    id: 'go-openai',
    language: 'go',
    title: 'go-openai',
    note: '`github.com/sashabaranov/go-openai`; reasoning is in `ReasoningContent`.',
    program: 'go-openai/main.go',
    extensions: ['json-errors'],
  },
  {
    id: 'openai-go',
    language: 'go',
    title: 'openai-go',
    note: '`github.com/openai/openai-go/v3`. The text of an error is only its status: read the field `Message` of `*openai.Error`. Reasoning of Chat Completions is in `message.JSON.ExtraFields`.',
    program: 'openai-go/main.go',
    extensions: ['json-errors', 'model-by-id', 'embeddings'],
  },
  {
    id: 'langchaingo',
    language: 'go',
    title: 'LangChainGo',
    note: '`github.com/tmc/langchaingo`; reasoning is in `ReasoningContent`. Of a stream that fails midway it shows only `unexpected EOF`: its `parseStreamingChatResponse` skips events without `choices`.',
    extensions: ['x-api-key', 'json-errors'],
    program: 'langchaingo/main.go',
    cutShows: 'error reading streaming response: unexpected EOF',
  },
  {
    id: 'openai-java',
    language: 'java',
    title: 'openai-java',
    note: '`com.openai:openai-java`. With `responseValidation(true)` every answer is checked against its types. Reasoning of Chat Completions is in `message._additionalProperties()`.',
    program: 'openai-java/OpenAiJava.java',
    extensions: ['json-errors', 'model-by-id', 'embeddings'],
  },
  {
    id: 'langchain4j',
    language: 'java',
    title: 'LangChain4j',
    note: '`dev.langchain4j:langchain4j-open-ai`; `returnThinking(true)` keeps reasoning. Of a stream that fails midway it shows only `closed`: it reads no error events.',
    program: 'langchain4j/LangChain4j.java',
    extensions: ['x-api-key', 'json-errors'],
    cutShows: 'LangChain4jException: closed',
  },
  {
    id: 'spring-ai',
    language: 'java',
    title: 'Spring AI',
    note: '`org.springframework.ai:spring-ai-openai` 2; Spring Boot has the same settings as `spring.ai.openai.base-url` and `spring.ai.openai.api-key`. Reasoning is `reasoningContent` in `message.getMetadata()`.',
    program: 'spring-ai/SpringAi.java',
    extensions: ['x-api-key', 'json-errors'],
    project: 'spring-ai',
  },
  {
    id: 'async-openai',
    language: 'rust',
    title: 'async-openai',
    note: 'Reasoning comes through Responses: the types of Chat Completions have no field for it.',
    program: 'async-openai/main.rs',
    extensions: ['json-errors'],
  },
];

const lacksAll = Object.fromEntries(caseNames.map((name) => [name, 'only its extensions are tested']));

/** Of which only what extensions add is tested. They are not on the page. */
export const extensionClients: readonly ClientLibrary[] = [
  {
    id: 'llama-index',
    language: 'python',
    title: 'LlamaIndex',
    note: '`OpenAILikeEmbedding` takes any name of a model.',
    program: 'llama-index/program.py',
    project: 'llama-index',
    extensions: ['embeddings'],
    lacks: lacksAll,
  },
  {
    id: 'anthropic-java',
    language: 'java',
    title: 'anthropic-java',
    note: '`com.anthropic:anthropic-java`.',
    program: 'anthropic-java/AnthropicJava.java',
    extensions: ['model-by-id', 'count-tokens'],
    lacks: lacksAll,
  },
];
