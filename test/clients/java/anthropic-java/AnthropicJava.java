import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCountTokensParams;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.models.ModelInfo;
import java.util.Map;

/** Uses what extensions add with anthropic-java. */
final class AnthropicJava {
  // docs:begin
  static AnthropicClient client() {
    return AnthropicOkHttpClient.builder()
        .baseUrl(System.getenv("FERRY_URL"))
        .authToken(System.getenv("FERRY_API_KEY"))
        .build();
  }

  // docs:end

  private static final AnthropicClient CLIENT = client();

  private static Map<String, Object> model(Protocol.Question question) {
    ModelInfo model = CLIENT.models().retrieve(question.model());
    return Map.of("id", model.id());
  }

  private static Map<String, Object> count(Protocol.Question question) {
    Message message =
        CLIENT
            .messages()
            .create(
                MessageCreateParams.builder()
                    .model(question.model())
                    .addUserMessage(question.prompt())
                    .maxTokens(1)
                    .build());
    long input = message.usage().inputTokens() + message.usage().cacheReadInputTokens().orElse(0L);
    long counted =
        CLIENT
            .messages()
            .countTokens(
                MessageCountTokensParams.builder().model(question.model()).addUserMessage(question.prompt()).build())
            .inputTokens();
    return Map.of("input", input, "counted", counted);
  }

  public static void main(String[] words) throws Exception {
    Protocol.serve(Map.of("model", AnthropicJava::model, "count", AnthropicJava::count));
  }
}
