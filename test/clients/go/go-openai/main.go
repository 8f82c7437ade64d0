// Uses github.com/sashabaranov/go-openai as its users do.
package main

import (
	"context"
	"errors"
	"io"
	"os"

	openai "github.com/sashabaranov/go-openai"

	"ferry.example/clients/protocol"
)

// docs:begin
func newClient() *openai.Client {
	config := openai.DefaultConfig(os.Getenv("FERRY_API_KEY"))
	config.BaseURL = os.Getenv("FERRY_URL") + "/v1"
	return openai.NewClientWithConfig(config)
}

// docs:end

func request(question protocol.Question) openai.ChatCompletionRequest {
	return openai.ChatCompletionRequest{
		Model:               question.Model,
		Messages:            []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: question.Prompt}},
		MaxCompletionTokens: 200,
		StreamOptions:       nil,
	}
}

func whole(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	answer, err := newClient().CreateChatCompletion(ctx, request(question))
	if err != nil {
		return nil, err
	}
	message := answer.Choices[0].Message
	return protocol.Answer{
		"text":      message.Content,
		"reasoning": message.ReasoningContent,
		"usage":     protocol.Answer{"input": answer.Usage.PromptTokens, "output": answer.Usage.CompletionTokens},
	}, nil
}

// readStream returns the pieces of text, until the end or until `enough` says so.
func readStream(ctx context.Context, question protocol.Question, enough func(string) bool) (string, int, error) {
	stream, err := newClient().CreateChatCompletionStream(ctx, request(question))
	if err != nil {
		return "", 0, err
	}
	defer stream.Close()
	text, pieces := "", 0
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return text, pieces, nil
		}
		if err != nil {
			return text, pieces, err
		}
		for _, choice := range chunk.Choices {
			if choice.Delta.Content != "" {
				text += choice.Delta.Content
				pieces++
			}
		}
		if enough(text) {
			return text, pieces, nil
		}
	}
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
	asked.Tools = []openai.Tool{{
		Type:     openai.ToolTypeFunction,
		Function: &openai.FunctionDefinition{Name: "get_weather", Parameters: protocol.WeatherSchema},
	}}
	first, err := client.CreateChatCompletion(ctx, asked)
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
	asked.Messages = append(asked.Messages, message, openai.ChatCompletionMessage{
		Role: openai.ChatMessageRoleTool, ToolCallID: call.ID, Content: protocol.ToolResult,
	})
	after, err := client.CreateChatCompletion(ctx, asked)
	if err != nil {
		return nil, err
	}
	return protocol.Answer{"asked": []string{city}, "text": after.Choices[0].Message.Content}, nil
}

func structured(ctx context.Context, question protocol.Question) (protocol.Answer, error) {
	asked := request(question)
	asked.ResponseFormat = &openai.ChatCompletionResponseFormat{
		Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
			Name: "place", Schema: protocol.PlaceSchema, Strict: true,
		},
	}
	answer, err := newClient().CreateChatCompletion(ctx, asked)
	if err != nil {
		return nil, err
	}
	city, err := protocol.City(answer.Choices[0].Message.Content)
	return protocol.Answer{"city": city}, err
}

func main() {
	protocol.Serve(protocol.Cases{
		"chat": whole, "reasoning": whole, "usage": whole, "error": whole,
		"stream": stream, "tools": tools, "structured": structured, "cancel": cancel,
	})
}
