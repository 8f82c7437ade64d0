// Package protocol answers the questions of the Jest spec: one line of JSON on stdin for each, one line of JSON on stdout.
package protocol

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
)

// Question names a case of the program, and the model and prompt for it.
type Question struct {
	Case   string `json:"case"`
	Model  string `json:"model"`
	Prompt string `json:"prompt"`
}

// Answer is what a case found out; the spec judges it.
type Answer map[string]any

// Cases are functions by the name that questions give.
type Cases map[string]func(context.Context, Question) (Answer, error)

// WeatherSchema is of the arguments of the tool get_weather.
var WeatherSchema = map[string]any{
	"type":       "object",
	"properties": map[string]any{"city": map[string]any{"type": "string"}},
	"required":   []string{"city"},
}

// PlaceSchema is of a structured answer.
var PlaceSchema = json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","enum":["Oslo","Paris"]}},"required":["city"],"additionalProperties":false}`)

// ToolResult is what get_weather returns.
const ToolResult = "sunny, 21 degrees"

// Place is a structured answer.
type Place struct {
	City string `json:"city"`
}

// City reads a structured answer, or the arguments of get_weather.
func City(text string) (string, error) {
	var place Place
	err := json.Unmarshal([]byte(text), &place)
	return place.City, err
}

// Serve answers until stdin ends.
func Serve(cases Cases) {
	lines := bufio.NewScanner(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var question Question
		if err := json.Unmarshal(lines.Bytes(), &question); err != nil {
			panic(err)
		}
		answers.Encode(answer(cases, question))
	}
}

func answer(cases Cases, question Question) map[string]any {
	run, found := cases[question.Case]
	if !found {
		return failure(fmt.Errorf("there is no case %q", question.Case))
	}
	ok, err := run(context.Background(), question)
	if err != nil {
		return failure(err)
	}
	return map[string]any{"ok": ok}
}

func failure(err error) map[string]any {
	return map[string]any{"error": map[string]any{"type": fmt.Sprintf("%T", err), "message": err.Error()}}
}
