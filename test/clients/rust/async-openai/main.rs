//! Uses async-openai as its users do: one line of JSON on stdin for each question, one line of JSON on stdout for its answer.

use std::error::Error;
use std::io::Write;

use async_openai::types::chat::{
    ChatCompletionMessageToolCalls, ChatCompletionRequestAssistantMessageArgs,
    ChatCompletionRequestMessage, ChatCompletionRequestToolMessageArgs,
    ChatCompletionRequestUserMessage, ChatCompletionTool, ChatCompletionTools,
    CreateChatCompletionRequest, FunctionObject, ResponseFormat, ResponseFormatJsonSchema,
};
use async_openai::types::responses::{CreateResponseArgs, OutputItem, SummaryPart};
use futures::StreamExt;
use serde_json::{Value, json};

// docs:begin
use async_openai::{Client, config::OpenAIConfig};

fn client() -> Result<Client<OpenAIConfig>, std::env::VarError> {
    let config = OpenAIConfig::new()
        .with_api_base(std::env::var("FERRY_URL")? + "/v1")
        .with_api_key(std::env::var("FERRY_API_KEY")?);
    Ok(Client::with_config(config))
}
// docs:end

type Answer = Result<Value, Box<dyn Error>>;

struct Question {
    case: String,
    model: String,
    prompt: String,
}

const TOOL_RESULT: &str = "sunny, 21 degrees";

fn request(question: &Question) -> CreateChatCompletionRequest {
    CreateChatCompletionRequest {
        model: question.model.clone(),
        messages: vec![ChatCompletionRequestUserMessage::from(question.prompt.as_str()).into()],
        temperature: Some(0.0),
        max_completion_tokens: Some(200),
        ..Default::default()
    }
}

async fn whole(question: &Question) -> Answer {
    let answer = client()?.chat().create(request(question)).await?;
    let usage = answer.usage.ok_or("no usage")?;
    Ok(json!({
        "text": answer.choices[0].message.content,
        "usage": { "input": usage.prompt_tokens, "output": usage.completion_tokens },
    }))
}

/// Responses: the types of Chat Completions have no field for reasoning.
async fn reasoning(question: &Question) -> Answer {
    let asked = CreateResponseArgs::default()
        .model(&question.model)
        .input(question.prompt.as_str())
        .build()?;
    let answer = client()?.responses().create(asked).await?;
    let mut thoughts = String::new();
    for item in &answer.output {
        if let OutputItem::Reasoning(item) = item {
            for SummaryPart::SummaryText(part) in &item.summary {
                thoughts += &part.text;
            }
        }
    }
    Ok(json!({ "text": answer.output_text(), "reasoning": thoughts }))
}

/// The pieces of text until the end, or only the first one.
async fn pieces(question: &Question, first_only: bool) -> Result<Vec<String>, Box<dyn Error>> {
    let mut stream = client()?.chat().create_stream(request(question)).await?;
    let mut pieces = Vec::new();
    while let Some(chunk) = stream.next().await {
        pieces.extend(
            chunk?
                .choices
                .into_iter()
                .filter_map(|choice| choice.delta.content)
                .filter(|text| !text.is_empty()),
        );
        if first_only && !pieces.is_empty() {
            break;
        }
    }
    Ok(pieces)
}

async fn stream(question: &Question) -> Answer {
    let pieces = pieces(question, false).await?;
    Ok(json!({ "text": pieces.concat(), "pieces": pieces.len() }))
}

async fn cancel(question: &Question) -> Answer {
    pieces(question, true).await?;
    Ok(json!({}))
}

async fn tools(question: &Question) -> Answer {
    let client = client()?;
    let mut asked = request(question);
    asked.tools = Some(vec![ChatCompletionTools::Function(ChatCompletionTool {
        function: FunctionObject {
            name: "get_weather".into(),
            parameters: Some(json!({
                "type": "object",
                "properties": { "city": { "type": "string" } },
                "required": ["city"],
            })),
            ..Default::default()
        },
    })]);
    let first = client.chat().create(asked.clone()).await?;
    let calls = first.choices[0]
        .message
        .tool_calls
        .clone()
        .ok_or("no call")?;
    let [ChatCompletionMessageToolCalls::Function(call)] = calls.as_slice() else {
        return Err("not one call of a function".into());
    };
    let arguments: Value = serde_json::from_str(&call.function.arguments)?;
    let result = ChatCompletionRequestToolMessageArgs::default()
        .tool_call_id(&call.id)
        .content(TOOL_RESULT)
        .build()?;
    let answered = ChatCompletionRequestAssistantMessageArgs::default()
        .tool_calls(calls.clone())
        .build()?;
    asked
        .messages
        .extend::<[ChatCompletionRequestMessage; 2]>([answered.into(), result.into()]);
    let after = client.chat().create(asked).await?;
    Ok(json!({ "asked": [arguments["city"]], "text": after.choices[0].message.content }))
}

async fn structured(question: &Question) -> Answer {
    let mut asked = request(question);
    asked.response_format = Some(ResponseFormat::JsonSchema {
        json_schema: ResponseFormatJsonSchema {
            name: "place".into(),
            description: None,
            schema: json!({
                "type": "object",
                "properties": { "city": { "type": "string", "enum": ["Oslo", "Paris"] } },
                "required": ["city"],
                "additionalProperties": false,
            }),
            strict: Some(true),
        },
    });
    let answer = client()?.chat().create(asked).await?;
    Ok(serde_json::from_str(
        answer.choices[0]
            .message
            .content
            .as_deref()
            .ok_or("no text")?,
    )?)
}

async fn answer(question: &Question) -> Answer {
    match question.case.as_str() {
        "chat" | "usage" | "error" => whole(question).await,
        "reasoning" => reasoning(question).await,
        "stream" => stream(question).await,
        "tools" => tools(question).await,
        "structured" => structured(question).await,
        "cancel" => cancel(question).await,
        other => Err(format!("there is no case {other}").into()),
    }
}

fn read(line: &str) -> Result<Question, Box<dyn Error>> {
    let fields: Value = serde_json::from_str(line)?;
    let field = |name: &str| {
        fields[name]
            .as_str()
            .map(String::from)
            .ok_or(format!("no {name}"))
    };
    Ok(Question {
        case: field("case")?,
        model: field("model")?,
        prompt: field("prompt")?,
    })
}

/// Nothing at the end of stdin.
fn next_line() -> std::io::Result<Option<String>> {
    let mut line = String::new();
    Ok((std::io::stdin().read_line(&mut line)? > 0).then_some(line))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // The runtime goes on meanwhile, as in a server: it is what closes the connection of a stream that was left.
    while let Some(line) = tokio::task::spawn_blocking(next_line).await?? {
        let result = match answer(&read(&line)?).await {
            Ok(found) => json!({ "ok": found }),
            Err(error) => {
                json!({ "error": { "type": "OpenAIError", "message": error.to_string() } })
            }
        };
        println!("{result}");
        std::io::stdout().flush()?;
    }
    Ok(())
}
