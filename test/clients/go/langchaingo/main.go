// Uses github.com/tmc/langchaingo as its users do.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/openai"

	"ferry.example/clients/protocol"
)

// docs:begin
func newModel(name string) (*openai.LLM, error) {
	return openai.New(
		openai.WithBaseURL(os.Getenv("FERRY_URL")+"/v1"),
		openai.WithToken(os.Getenv("FERRY_API_KEY")),
		openai.WithModel(name),
	)
}

// docs:end

var errEnough = errors.New("enough")

func messages(question protocol.Question) []llms.MessageContent {
	return []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, question.Prompt)}
}

func whole(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	model, err := newModel(question.Model)
	if err != nil {
		return nil, err
	}
	answer, err := model.GenerateContent(ctx, messages(question), llms.WithTemperature(0), llms.WithMaxTokens(200))
	if err != nil {
		return nil, err
	}
	choice := answer.Choices[0]
	return protocol.Answer{
		"text":      choice.Content,
		"reasoning": choice.ReasoningContent,
		"usage": protocol.Answer{
			"input": choice.GenerationInfo["PromptTokens"], "output": choice.GenerationInfo["CompletionTokens"],
		},
	}, nil
}

// Its client for messages knows no other header than x-api-key.
func throughMessages(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	model, err := anthropic.New(
		anthropic.WithBaseURL(os.Getenv("FERRY_URL")+"/v1"),
		anthropic.WithToken(os.Getenv("FERRY_API_KEY")),
		anthropic.WithModel(question.Model),
	)
	if err != nil {
		return nil, err
	}
	answer, err := model.GenerateContent(ctx, messages(question), llms.WithTemperature(0), llms.WithMaxTokens(200))
	if err != nil {
		return nil, err
	}
	return protocol.Answer{"text": answer.Choices[0].Content}, nil
}

func stream(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	model, err := newModel(question.Model)
	if err != nil {
		return nil, err
	}
	pieces := 0
	answer, err := model.GenerateContent(ctx, messages(question), llms.WithTemperature(0), llms.WithMaxTokens(200),
		llms.WithStreamingFunc(func(_ context.Context, piece []byte) error {
			if len(piece) > 0 {
				pieces++
			}
			return nil
		}))
	if err != nil {
		return nil, err
	}
	return protocol.Answer{"text": answer.Choices[0].Content, "pieces": pieces}, nil
}

func cancel(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	model, err := newModel(question.Model)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	_, err = model.GenerateContent(ctx, messages(question), llms.WithStreamingFunc(func(context.Context, []byte) error {
		stop()
		return errEnough
	}))
	if errors.Is(err, errEnough) || errors.Is(err, context.Canceled) {
		return protocol.Answer{}, nil
	}
	return protocol.Answer{}, err
}

func tools(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	model, err := newModel(question.Model)
	if err != nil {
		return nil, err
	}
	declared := llms.WithTools([]llms.Tool{{
		Type:     "function",
		Function: &llms.FunctionDefinition{Name: "get_weather", Parameters: protocol.WeatherSchema},
	}})
	history := messages(question)
	first, err := model.GenerateContent(ctx, history, declared, llms.WithTemperature(0), llms.WithMaxTokens(200))
	if err != nil {
		return nil, err
	}
	calls := first.Choices[0].ToolCalls
	if len(calls) != 1 {
		return nil, errors.New("not one call: " + first.Choices[0].Content)
	}
	city, err := protocol.City(calls[0].FunctionCall.Arguments)
	if err != nil {
		return nil, err
	}
	history = append(history,
		llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{calls[0]}},
		llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{
			llms.ToolCallResponse{ToolCallID: calls[0].ID, Name: "get_weather", Content: protocol.ToolResult},
		}},
	)
	after, err := model.GenerateContent(ctx, history, declared, llms.WithTemperature(0), llms.WithMaxTokens(200))
	if err != nil {
		return nil, err
	}
	return protocol.Answer{"asked": []string{city}, "text": after.Choices[0].Content}, nil
}

func structured(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	model, err := openai.New(
		openai.WithBaseURL(os.Getenv("FERRY_URL")+"/v1"),
		openai.WithToken(os.Getenv("FERRY_API_KEY")),
		openai.WithModel(question.Model),
		openai.WithResponseFormat(&openai.ResponseFormat{
			Type: "json_schema",
			JSONSchema: &openai.ResponseFormatJSONSchema{
				Name: "place", Strict: true,
				Schema: &openai.ResponseFormatJSONSchemaProperty{
					Type: "object",
					Properties: map[string]*openai.ResponseFormatJSONSchemaProperty{
						"city": {Type: "string", Enum: []any{"Oslo", "Paris"}},
					},
					Required: []string{"city"},
				},
			},
		}),
	)
	if err != nil {
		return nil, err
	}
	answer, err := model.GenerateContent(ctx, messages(question), llms.WithTemperature(0), llms.WithMaxTokens(200))
	if err != nil {
		return nil, err
	}
	city, err := protocol.City(answer.Choices[0].Content)
	return protocol.Answer{"city": city}, err
}

func main() {
	protocol.Serve(protocol.Cases{
		"anthropic": throughMessages, "chat": whole, "reasoning": whole, "usage": whole, "error": whole,
		"stream": stream, "tools": tools, "structured": structured, "cancel": cancel,
	})
}
