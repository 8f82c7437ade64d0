import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.embeddings.Embedding;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Uses openai-java as its users do, with each answer checked against its types. */
final class OpenAiJava {
  // docs:begin
  static OpenAIClient client() {
    return OpenAIOkHttpClient.builder()
        .baseUrl(System.getenv("FERRY_URL") + "/v1")
        .apiKey(System.getenv("FERRY_API_KEY"))
        .responseValidation(true)
        .build();
  }

  // docs:end

  private static final OpenAIClient CLIENT = client();

  @JsonClassDescription("Get the weather for a city")
  static class GetWeather {
    public String city;
  }

  enum City {
    Oslo,
    Paris
  }

  static class Place {
    public City city;
  }

  private static ChatCompletionCreateParams.Builder request(Protocol.Question question) {
    return ChatCompletionCreateParams.builder()
        .model(question.model())
        .addUserMessage(question.prompt())
        .temperature(0.0)
        .maxCompletionTokens(200);
  }

  private static Map<String, Object> whole(Protocol.Question question) {
    ChatCompletion completion = CLIENT.chat().completions().create(request(question).build());
    ChatCompletionMessage message = completion.choices().get(0).message();
    // The type has no field for it.
    JsonValue reasoning = message._additionalProperties().get("reasoning_content");
    return Map.of(
        "text", message.content().orElse(""),
        "reasoning", reasoning == null ? "" : reasoning.asString().map(String::valueOf).orElse(""),
        "usage",
            completion
                .usage()
                .map(usage -> Map.of("input", usage.promptTokens(), "output", usage.completionTokens()))
                .orElseThrow());
  }

  /** Through Responses, which has more that its type requires. */
  private static Map<String, Object> usage(Protocol.Question question) {
    Response response =
        CLIENT
            .responses()
            .create(ResponseCreateParams.builder().model(question.model()).input(question.prompt()).build());
    response.validate();
    return Map.of(
        "usage",
        response.usage().map(usage -> Map.of("input", usage.inputTokens(), "output", usage.outputTokens())).orElseThrow());
  }

  private static String textOf(ChatCompletionChunk chunk) {
    return chunk.choices().stream().findFirst().flatMap(choice -> choice.delta().content()).orElse("");
  }

  private static Map<String, Object> stream(Protocol.Question question) {
    try (StreamResponse<ChatCompletionChunk> chunks =
        CLIENT.chat().completions().createStreaming(request(question).build())) {
      List<String> pieces = chunks.stream().map(OpenAiJava::textOf).filter(text -> !text.isEmpty()).toList();
      return Map.of("text", String.join("", pieces), "pieces", pieces.size());
    }
  }

  private static Map<String, Object> cancel(Protocol.Question question) {
    try (StreamResponse<ChatCompletionChunk> chunks =
        CLIENT.chat().completions().createStreaming(request(question).build())) {
      Iterator<ChatCompletionChunk> each = chunks.stream().iterator();
      while (textOf(each.next()).isEmpty()) {
        continue;
      }
    }
    return Map.of();
  }

  private static Map<String, Object> tools(Protocol.Question question) {
    ChatCompletionCreateParams.Builder asked = request(question).addTool(GetWeather.class);
    ChatCompletionMessage message = CLIENT.chat().completions().create(asked.build()).choices().get(0).message();
    ChatCompletionMessageFunctionToolCall call = message.toolCalls().orElseThrow().get(0).asFunction();
    asked
        .addMessage(message)
        .addMessage(
            ChatCompletionToolMessageParam.builder().toolCallId(call.id()).content(Protocol.TOOL_RESULT).build());
    ChatCompletion after = CLIENT.chat().completions().create(asked.build());
    return Map.of(
        "asked", List.of(call.function().arguments(GetWeather.class).city),
        "text", after.choices().get(0).message().content().orElse(""));
  }

  private static Map<String, Object> structured(Protocol.Question question) {
    var completion = CLIENT.chat().completions().create(request(question).responseFormat(Place.class).build());
    return Map.of("city", completion.choices().get(0).message().content().orElseThrow().city.name());
  }

  private static Map<String, Object> model(Protocol.Question question) {
    return Map.of("id", CLIENT.models().retrieve(question.model()).id());
  }

  private static List<List<Float>> vectors(EmbeddingCreateParams.Builder request) {
    return CLIENT.embeddings().create(request.build()).data().stream().map(Embedding::embedding).toList();
  }

  private static Map<String, Object> embeddings(Protocol.Question question) {
    EmbeddingCreateParams.Builder request =
        EmbeddingCreateParams.builder().model(question.model()).inputOfArrayOfStrings(List.of("a", "b"));
    return Map.of("vectors", vectors(request), "shortened", vectors(request.dimensions(2)));
  }

  public static void main(String[] words) throws Exception {
    Protocol.serve(
        Map.ofEntries(
            Map.entry("chat", OpenAiJava::whole),
            Map.entry("reasoning", OpenAiJava::whole),
            Map.entry("usage", OpenAiJava::usage),
            Map.entry("error", OpenAiJava::whole),
            Map.entry("stream", OpenAiJava::stream),
            Map.entry("tools", OpenAiJava::tools),
            Map.entry("structured", OpenAiJava::structured),
            Map.entry("cancel", OpenAiJava::cancel),
            Map.entry("model", OpenAiJava::model),
            Map.entry("embeddings", OpenAiJava::embeddings)));
  }
}
