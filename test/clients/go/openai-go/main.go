// Uses github.com/openai/openai-go as its users do.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"ferry.example/clients/protocol"
)

// docs:begin
func newClient() openai.Client {
	return openai.NewClient(
		option.WithBaseURL(os.Getenv("FERRY_URL")+"/v1"),
		option.WithAPIKey(os.Getenv("FERRY_API_KEY")),
	)
}

// docs:end

// withWords adds what the relay said: the error's own text is the status only.
func withWords(err error) error {
	var refused *openai.Error
	if errors.As(err, &refused) {
		return fmt.Errorf("%w: %s", err, refused.Message)
	}
	return err
}

func request(question protocol.Question) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:               question.Model,
		Messages:            []openai.ChatCompletionMessageParamUnion{openai.UserMessage(question.Prompt)},
		Temperature:         openai.Float(0),
		MaxCompletionTokens: openai.Int(200),
	}
}

func whole(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	client := newClient()
	answer, err := client.Chat.Completions.New(ctx, request(question))
	if err != nil {
		return nil, withWords(err)
	}
	message := answer.Choices[0].Message
	// The type has no field for it; what an answer has besides is kept as raw JSON.
	var reasoning string
	if raw := message.JSON.ExtraFields["reasoning_content"].Raw(); raw != "" {
		if err := json.Unmarshal([]byte(raw), &reasoning); err != nil {
			return nil, err
		}
	}
	return protocol.Answer{
		"text":      message.Content,
		"reasoning": reasoning,
		"usage":     protocol.Answer{"input": answer.Usage.PromptTokens, "output": answer.Usage.CompletionTokens},
	}, nil
}

// readStream returns the pieces of text, until the end or until `enough` says so.
func readStream(ctx context.Context, question protocol.Question, enough func(string) bool) (string, int, error) {
	client := newClient()
	stream := client.Chat.Completions.NewStreaming(ctx, request(question))
	defer stream.Close()
	text, pieces := "", 0
	for stream.Next() {
		for _, choice := range stream.Current().Choices {
			if choice.Delta.Content != "" {
				text += choice.Delta.Content
				pieces++
			}
		}
		if enough(text) {
			return text, pieces, nil
		}
	}
	return text, pieces, stream.Err()
}

func stream(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	text, pieces, err := readStream(ctx, question, func(string) bool { return false })
	if err != nil {
		return nil, err
	}
	return protocol.Answer{"text": text, "pieces": pieces}, nil
}

func cancel(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	_, _, err := readStream(ctx, question, func(text string) bool { return text != "" })
	return protocol.Answer{}, err
}

func tools(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	client := newClient()
	asked := request(question)
	asked.Tools = []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
		Name:       "get_weather",
		Parameters: shared.FunctionParameters(protocol.WeatherSchema),
	})}
	first, err := client.Chat.Completions.New(ctx, asked)
	if err != nil {
		return nil, err
	}
	message := first.Choices[0].Message
	if len(message.ToolCalls) != 1 {
		return nil, errors.New("not one call: " + message.Content)
	}
	call := message.ToolCalls[0]
	city, err := protocol.City(call.Function.Arguments)
	if err != nil {
		return nil, err
	}
	asked.Messages = append(asked.Messages, message.ToParam(), openai.ToolMessage(protocol.ToolResult, call.ID))
	after, err := client.Chat.Completions.New(ctx, asked)
	if err != nil {
		return nil, err
	}
	return protocol.Answer{"asked": []string{city}, "text": after.Choices[0].Message.Content}, nil
}

func structured(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	client := newClient()
	asked := request(question)
	asked.ResponseFormat = openai.ChatCompletionNewParamsResponseFormatUnion{
		OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
				Name: "place", Schema: protocol.PlaceSchema, Strict: openai.Bool(true),
			},
		},
	}
	answer, err := client.Chat.Completions.New(ctx, asked)
	if err != nil {
		return nil, err
	}
	city, err := protocol.City(answer.Choices[0].Message.Content)
	return protocol.Answer{"city": city}, err
}

func model(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	client := newClient()
	found, err := client.Models.Get(ctx, question.Model)
	if err != nil {
		return nil, withWords(err)
	}
	return protocol.Answer{"id": found.ID}, nil
}

func vectors(ctx context.Context, request openai.EmbeddingNewParams) ([][]float64, error) {
	client := newClient()
	response, err := client.Embeddings.New(ctx, request)
	if err != nil {
		return nil, withWords(err)
	}
	found := make([][]float64, 0, len(response.Data))
	for _, each := range response.Data {
		found = append(found, each.Embedding)
	}
	return found, nil
}

func embeddings(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	request := openai.EmbeddingNewParams{
		Model: question.Model,
		Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{"a", "b"}},
	}
	whole, err := vectors(ctx, request)
	if err != nil {
		return nil, err
	}
	request.Dimensions = openai.Int(2)
	shortened, err := vectors(ctx, request)
	return protocol.Answer{"vectors": whole, "shortened": shortened}, err
}

func main() {
	protocol.Serve(protocol.Cases{
		"chat": whole, "reasoning": whole, "usage": whole, "error": whole,
		"stream": stream, "tools": tools, "structured": structured, "cancel": cancel,
		"model": model, "embeddings": embeddings,
	})
}
