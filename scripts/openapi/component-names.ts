/** The names of the component schemas: those of the classes without the suffix that tells their role in the code. */

const REFERENCE = '#/components/schemas/';

type Components = Readonly<Record<string, unknown>> & { readonly schemas: Readonly<Record<string, unknown>> };

interface Document {
  readonly components: Components;
}

const publicName = (className: string): string => className.replace(/(Record|Dto)$/, '');

/** @throws Error when two classes would get one name */
export function publicNames<Kind extends Document>(document: Kind): Kind {
  const classNames = Object.keys(document.components.schemas);
  const names = new Map(classNames.map((className) => [className, publicName(className)]));
  if (new Set(names.values()).size < names.size) throw new Error('Two schemas of the document have one name.');
  const text = JSON.stringify(document).replaceAll(
    /"#\/components\/schemas\/(\w+)"/g,
    (_whole, className: string) => `"${REFERENCE}${publicName(className)}"`,
  );
  const renamed = JSON.parse(text) as Kind;
  const schemas = Object.fromEntries(
    Object.entries(renamed.components.schemas)
      .map(([className, schema]) => [publicName(className), schema] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return { ...renamed, components: { ...renamed.components, schemas } };
}

/** Without the schemas that nothing refers to: those of routes outside of the document. */
export function withoutUnused<Kind extends Document>(document: Kind): Kind {
  const { schemas } = document.components;
  const text = JSON.stringify(document);
  const used = Object.entries(schemas).filter(([name]) => text.includes(`"${REFERENCE}${name}"`));
  if (used.length === Object.keys(schemas).length) return document;
  return withoutUnused({ ...document, components: { ...document.components, schemas: Object.fromEntries(used) } });
}
