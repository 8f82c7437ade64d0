/**
 * Responses and parameters that several operations have become components, so that the document says each once. Dereferenced, it is the same
 * document.
 */

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly object[];
  readonly responses: Readonly<Record<string, object>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface Document {
  readonly paths: Paths;
  readonly components: Readonly<Record<string, unknown>>;
}

/** A value of the document that may occur again. */
interface Part {
  readonly value: object;
  /** Of all different values with this name, the one used most often keeps it. */
  readonly name: string;
  /** Tells the others apart: the operation that comes first in the document. */
  readonly operationId: string;
  uses: number;
}

const statusNames: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'ContentTooLarge',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

const isReference = (value: object): boolean => '$ref' in value;

export function withSharedParts<Kind extends Document>(document: Kind): Kind {
  const responses = new SharedParts('responses');
  const parameters = new SharedParts('parameters');
  for (const operation of Object.values(document.paths).flatMap((operations) => Object.values(operations))) {
    const { operationId = '' } = operation;
    for (const [status, response] of Object.entries(operation.responses)) {
      const name = statusNames[status];
      if (name !== undefined) responses.add(response, name, operationId);
    }
    for (const parameter of operation.parameters ?? []) parameters.add(parameter, nameOf(parameter), operationId);
  }
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          {
            ...operation,
            ...(operation.parameters && { parameters: operation.parameters.map((one) => parameters.replaced(one)) }),
            responses: Object.fromEntries(
              Object.entries(operation.responses).map(([status, one]) => [status, responses.replaced(one)]),
            ),
          },
        ]),
      ),
    ]),
  );
  const { components } = document;
  return {
    ...document,
    paths,
    components: {
      ...components,
      parameters: { ...(components['parameters'] as object | undefined), ...parameters.components() },
      responses: responses.components(),
    },
  };
}

/** `NodeId` of the parameter `nodeId`. */
function nameOf(parameter: object): string {
  const { name = '' } = parameter as { readonly name?: string };
  return name.replace(/(^|[^A-Za-z]+)([A-Za-z])/g, (_whole, _gap, letter: string) => letter.toUpperCase());
}

class SharedParts {
  private readonly parts = new Map<string, Part>();
  private named: ReadonlyMap<string, string> | undefined;

  constructor(private readonly kind: 'responses' | 'parameters') {}

  add(value: object, name: string, operationId: string): void {
    if (isReference(value)) return;
    const text = JSON.stringify(value);
    const part = this.parts.get(text) ?? { value, name, operationId, uses: 0 };
    part.uses += 1;
    this.parts.set(text, part);
  }

  /** The value itself where no other operation has it. */
  replaced(value: object): object {
    const name = this.names.get(JSON.stringify(value));
    return name === undefined ? value : { $ref: `#/components/${this.kind}/${name}` };
  }

  components(): Readonly<Record<string, object>> {
    const names = [...this.names].map(([text, name]) => [name, this.parts.get(text)?.value ?? {}] as const);
    return Object.fromEntries(names.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** By the JSON of the value. Read after the last `add`. */
  private get names(): ReadonlyMap<string, string> {
    return (this.named ??= this.namesOfShared());
  }

  private namesOfShared(): ReadonlyMap<string, string> {
    const shared = [...this.parts]
      .filter(([, { uses }]) => uses > 1)
      .sort(([, one], [, other]) => other.uses - one.uses);
    const taken = new Set<string>();
    return new Map(
      shared.map(([text, { name, operationId }]) => {
        const own = taken.has(name) ? `${name}.${operationId}` : name;
        if (taken.has(own)) throw new Error(`two ${this.kind} would be called ${own}`);
        taken.add(own);
        return [text, own] as const;
      }),
    );
  }
}
