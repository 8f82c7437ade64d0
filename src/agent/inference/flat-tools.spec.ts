import { describe, expect, it } from '@jest/globals';
import { withNestedTools } from './flat-tools.js';

const nested = (json: string): string => withNestedTools(Buffer.from(json)).toString();
const function_ = '{"type":"function","function":{"name":"look","parameters":{"maximum":9223372036854775807}}}';

describe('tools of a chat request', () => {
  it.each([
    ['as on the responses route', '{"type":"function","name":"look","parameters":{"maximum":9223372036854775807}}'],
    ['without a type', '{"parameters":{"maximum":9223372036854775807},"name":"look","strict":null}'],
    ['as on the messages route', '{"name":"look","input_schema":{"maximum":9223372036854775807}}'],
  ])('%s become functions, digit for digit', (_, tool) => {
    expect(nested(`{"tools": [ ${tool} ,${function_}], "seed":1e3}`)).toBe(
      `{"tools": [ ${function_} ,${function_}], "seed":1e3}`,
    );
  });

  it('and the choice of one', () => {
    expect(nested(`{"tools":[${function_}],"tool_choice":{"type":"function","name":"look"}}`)).toBe(
      `{"tools":[${function_}],"tool_choice":{"type":"function","function":{"name":"look"}}}`,
    );
  });

  it.each([
    '{"messages":[]}',
    `{"tools":[${function_}],"tool_choice":"auto"}`,
    '{"tools":[{"type":"web_search","name":"x"},7,null,"tools"],"tool_choice":null}',
    '{"messages":[{"content":"\\"tools\\""}],"tools":null}',
    '{"tools":[',
  ])('tools of a chat request of the form that engines read stay as they are: %s', (json) => {
    const body = Buffer.from(json);
    expect(withNestedTools(body)).toBe(body);
  });
});
