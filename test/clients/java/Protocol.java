import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Answers the questions of the Jest spec: one line of JSON on stdin for each, one line of JSON on stdout. */
final class Protocol {
  static final String TOOL_RESULT = "sunny, 21 degrees";
  static final ObjectMapper JSON = new ObjectMapper();

  record Question(String model, String prompt) {}

  interface Case {
    Map<String, Object> run(Question question) throws Exception;
  }

  private Protocol() {}

  /** The spec judges what a case returns. */
  static void serve(Map<String, Case> cases) throws Exception {
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // Whatever a library prints must not be taken for an answer.
    System.setOut(System.err);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      answers.println(JSON.writeValueAsString(answer(cases, JSON.readTree(line))));
    }
    System.exit(0);
  }

  private static Map<String, Object> answer(Map<String, Case> cases, JsonNode asked) {
    try {
      Question question = new Question(asked.get("model").asText(), asked.get("prompt").asText());
      return Map.of("ok", cases.get(asked.get("case").asText()).run(question));
    } catch (Exception error) {
      String message = String.valueOf(error.getMessage());
      return Map.of("error", Map.of("type", error.getClass().getSimpleName(), "message", message));
    }
  }
}
