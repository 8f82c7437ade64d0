import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.service.AiServices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Uses LangChain4j as its users do. */
final class LangChain4j {
  // docs:begin
  static OpenAiChatModel.OpenAiChatModelBuilder model(String name) {
    return OpenAiChatModel.builder()
        .baseUrl(System.getenv("FERRY_URL") + "/v1")
        .apiKey(System.getenv("FERRY_API_KEY"))
        .modelName(name);
  }

  static OpenAiStreamingChatModel.OpenAiStreamingChatModelBuilder streamingModel(String name) {
    return OpenAiStreamingChatModel.builder()
        .baseUrl(System.getenv("FERRY_URL") + "/v1")
        .apiKey(System.getenv("FERRY_API_KEY"))
        .modelName(name);
  }

  // docs:end

  interface Assistant {
    String chat(String message);
  }

  static class Weather {
    final List<String> asked = new ArrayList<>();

    @Tool(name = "get_weather", value = "Get the weather for a city")
    String weather(String city) {
      asked.add(city);
      return Protocol.TOOL_RESULT;
    }
  }

  private static OpenAiChatModel.OpenAiChatModelBuilder asked(Protocol.Question question) {
    return model(question.model()).temperature(0.0).maxTokens(200).maxRetries(0);
  }

  private static Map<String, Object> whole(Protocol.Question question) {
    ChatResponse response = asked(question).returnThinking(true).build().chat(UserMessage.from(question.prompt()));
    return Map.of(
        "text", response.aiMessage().text(),
        "reasoning", Objects.requireNonNullElse(response.aiMessage().thinking(), ""),
        "usage",
            Map.of(
                "input", response.tokenUsage().inputTokenCount(), "output", response.tokenUsage().outputTokenCount()));
  }

  private static Map<String, Object> stream(Protocol.Question question) throws Exception {
    List<String> pieces = new CopyOnWriteArrayList<>();
    CompletableFuture<ChatResponse> end = new CompletableFuture<>();
    streamingModel(question.model())
        .temperature(0.0)
        .build()
        .chat(
            question.prompt(),
            new StreamingChatResponseHandler() {
              @Override
              public void onPartialResponse(String piece) {
                pieces.add(piece);
              }

              @Override
              public void onCompleteResponse(ChatResponse response) {
                end.complete(response);
              }

              @Override
              public void onError(Throwable error) {
                end.completeExceptionally(error);
              }
            });
    return Map.of("text", end.get(60, TimeUnit.SECONDS).aiMessage().text(), "pieces", pieces.size());
  }

  private static Map<String, Object> cancel(Protocol.Question question) throws Exception {
    CompletableFuture<Void> left = new CompletableFuture<>();
    streamingModel(question.model())
        .build()
        .chat(
            question.prompt(),
            new StreamingChatResponseHandler() {
              @Override
              public void onPartialResponse(PartialResponse piece, PartialResponseContext context) {
                context.streamingHandle().cancel();
                left.complete(null);
              }

              @Override
              public void onCompleteResponse(ChatResponse response) {
                left.completeExceptionally(new IllegalStateException("the stream ended by itself"));
              }

              @Override
              public void onError(Throwable error) {
                left.completeExceptionally(error);
              }
            });
    left.get(60, TimeUnit.SECONDS);
    return Map.of();
  }

  private static Map<String, Object> tools(Protocol.Question question) {
    Weather weather = new Weather();
    Assistant assistant = AiServices.builder(Assistant.class).chatModel(asked(question).build()).tools(weather).build();
    String text = assistant.chat(question.prompt());
    return Map.of("asked", weather.asked, "text", text);
  }

  private static Map<String, Object> structured(Protocol.Question question) throws Exception {
    JsonSchema schema =
        JsonSchema.builder()
            .name("place")
            .rootElement(
                JsonObjectSchema.builder()
                    .addProperty("city", JsonEnumSchema.builder().enumValues("Oslo", "Paris").build())
                    .required("city")
                    .build())
            .build();
    ChatRequest request =
        ChatRequest.builder()
            .messages(UserMessage.from(question.prompt()))
            .responseFormat(ResponseFormat.builder().type(ResponseFormatType.JSON).jsonSchema(schema).build())
            .build();
    String text = asked(question).strictJsonSchema(true).build().chat(request).aiMessage().text();
    return Map.of("city", Protocol.JSON.readTree(text).get("city").asText());
  }

  /** Its client for messages knows no other header than x-api-key. */
  private static Map<String, Object> throughMessages(Protocol.Question question) {
    AnthropicChatModel model =
        AnthropicChatModel.builder()
            .baseUrl(System.getenv("FERRY_URL") + "/v1")
            .apiKey(System.getenv("FERRY_API_KEY"))
            .modelName(question.model())
            .temperature(0.0)
            .maxTokens(200)
            .maxRetries(0)
            .build();
    return Map.of("text", model.chat(question.prompt()));
  }

  public static void main(String[] words) throws Exception {
    Protocol.serve(
        Map.of(
            "anthropic", LangChain4j::throughMessages,
            "chat", LangChain4j::whole,
            "reasoning", LangChain4j::whole,
            "usage", LangChain4j::whole,
            "error", LangChain4j::whole,
            "stream", LangChain4j::stream,
            "tools", LangChain4j::tools,
            "structured", LangChain4j::structured,
            "cancel", LangChain4j::cancel));
  }
}
