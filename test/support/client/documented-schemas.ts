/** Checks values against the component schemas of the OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js';

const DOCUMENT = 'openapi.json';

export class DocumentedSchemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

  constructor(document: object) {
    // The document is no schema itself; under this name its components are found where `$ref` points.
    this.ajv.addSchema({ $id: DOCUMENT, ...document });
  }

  ref(name: string): object {
    return { $ref: `#/components/schemas/${name}` };
  }

  /** What is wrong with the value, as lines to read; empty when it fits. */
  problemsOf(schema: object, value: unknown): string[] {
    const absolute = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components/', `"${DOCUMENT}#/components/`),
    ) as object;
    const validate = this.ajv.compile(absolute);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      (error) => `${error.instancePath || '/'} ${error.message ?? ''}: ${JSON.stringify(value)}`,
    );
  }
}
