/** The rules of class-validator on a request, as the words of JSON Schema. */
import { getMetadataStorage } from 'class-validator';

type Rule = Readonly<Record<string, unknown>>;

/** Classes whose fields have rules. class-validator has them in its storage, and offers no public way to list them. */
export function validatedClasses(): readonly object[] {
  const storage = getMetadataStorage() as unknown as { readonly validationMetadatas: ReadonlyMap<object, unknown> };
  return [...storage.validationMetadatas.keys()].filter((target) => typeof target === 'function');
}

/** Rules of the fields that a class declares itself, by name of the field. */
export function validationRules(type: object): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  const declared = getMetadataStorage().getTargetValidationMetadatas(type as () => unknown, '', true, false);
  for (const { target, propertyName, name, constraints, each } of declared) {
    if (target !== type || each) continue;
    const [limit] = (constraints as unknown[] | undefined) ?? [];
    rules.set(propertyName, { ...rules.get(propertyName), ...ruleOf(name ?? '', limit) });
  }
  return rules;
}

function ruleOf(name: string, limit: unknown): Rule {
  switch (name) {
    case 'min':
      return { minimum: limit };
    case 'max':
      return { maximum: limit };
    case 'maxLength':
      return { maxLength: limit };
    case 'arrayMinSize':
      return { minItems: limit };
    case 'arrayMaxSize':
      return { maxItems: limit };
    case 'isEmail':
      return { format: 'email' };
    case 'matches':
      // JSON Schema has no flag for letters of either case.
      return limit instanceof RegExp && !limit.ignoreCase ? { pattern: limit.source } : {};
    default:
      return {};
  }
}
