/** Checks values against the component schemas of the OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js';

const DOCUMENT = 'openapi.json';

export class DocumentedSchemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

  constructor(document: object) {
    // The document itself is not a schema; registered under this name, its components resolve for `$ref`.
    this.ajv.addSchema({ $id: DOCUMENT, ...document });
  }

  ref(name: string): object {
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Validation errors, one per line; empty when the value is valid. */
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
