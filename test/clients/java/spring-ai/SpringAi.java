import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.tool.annotation.Tool;

/** Uses Spring AI as its users do, without Spring Boot. */
final class SpringAi {
  // docs:begin
  static OpenAiChatModel model(String name) {
    return OpenAiChatModel.builder()
        .options(
            OpenAiChatOptions.builder()
                .baseUrl(System.getenv("FERRY_URL") + "/v1")
                .apiKey(System.getenv("FERRY_API_KEY"))
                .model(name)
                .temperature(0.0)
                .build())
        .build();
  }

  // docs:end

  private static final String PLACE =
      """
      {"type":"object","properties":{"city":{"type":"string","enum":["Oslo","Paris"]}},"required":["city"],"additionalProperties":false}
      """;

  static class Weather {
    final List<String> asked = new ArrayList<>();

    @Tool(name = "get_weather", description = "Get the weather for a city")
    String weather(String city) {
      asked.add(city);
      return Protocol.TOOL_RESULT;
    }
  }

  private static ChatClient.ChatClientRequestSpec asked(Protocol.Question question) {
    return ChatClient.create(model(question.model())).prompt().user(question.prompt());
  }

  private static Map<String, Object> whole(Protocol.Question question) {
    ChatResponse response = asked(question).call().chatResponse();
    AssistantMessage message = response.getResult().getOutput();
    Usage usage = response.getMetadata().getUsage();
    return Map.of(
        "text", message.getText(),
        "reasoning", Objects.requireNonNullElse(message.getMetadata().get("reasoningContent"), ""),
        "usage", Map.of("input", usage.getPromptTokens(), "output", usage.getCompletionTokens()));
  }

  private static Map<String, Object> stream(Protocol.Question question) {
    List<String> pieces =
        asked(question).stream().content().filter((piece) -> !piece.isEmpty()).collectList().block();
    return Map.of("text", String.join("", pieces), "pieces", pieces.size());
  }

  private static Map<String, Object> cancel(Protocol.Question question) {
    asked(question).stream().content().filter((piece) -> !piece.isEmpty()).blockFirst();
    return Map.of();
  }

  private static Map<String, Object> tools(Protocol.Question question) {
    Weather weather = new Weather();
    String text = asked(question).tools(weather).call().content();
    return Map.of("asked", weather.asked, "text", text);
  }

  private static Map<String, Object> structured(Protocol.Question question) throws Exception {
    OpenAiChatModel.ResponseFormat format =
        OpenAiChatModel.ResponseFormat.builder()
            .type(OpenAiChatModel.ResponseFormat.Type.JSON_SCHEMA)
            .jsonSchema(PLACE)
            .strict(true)
            .build();
    String text = asked(question).options(OpenAiChatOptions.builder().responseFormat(format)).call().content();
    return Map.of("city", Protocol.JSON.readTree(text).get("city").asText());
  }

  /** Its client for messages sends the key as x-api-key. */
  private static Map<String, Object> throughMessages(Protocol.Question question) {
    AnthropicChatModel model =
        AnthropicChatModel.builder()
            .options(
                AnthropicChatOptions.builder()
                    .baseUrl(System.getenv("FERRY_URL"))
                    .apiKey(System.getenv("FERRY_API_KEY"))
                    .model(question.model())
                    .temperature(0.0)
                    .maxTokens(200)
                    .build())
            .build();
    return Map.of("text", ChatClient.create(model).prompt().user(question.prompt()).call().content());
  }

  public static void main(String[] words) throws Exception {
    Protocol.serve(
        Map.of(
            "anthropic", SpringAi::throughMessages,
            "chat", SpringAi::whole,
            "reasoning", SpringAi::whole,
            "usage", SpringAi::whole,
            "error", SpringAi::whole,
            "stream", SpringAi::stream,
            "tools", SpringAi::tools,
            "structured", SpringAi::structured,
            "cancel", SpringAi::cancel));
  }
}
