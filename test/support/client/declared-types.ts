/** Compares JSON with a type that a package declares: what the type calls required is there, and values are of their types. */
import path from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../process/ferry-process.js';

export interface DeclaredType {
  /** @returns what is wrong with the value, as path and expectation; nothing where it is of the type */
  problemsOf(value: unknown): readonly string[];
}

/** Deeper values are not compared; the protocols have none. */
const MAX_DEPTH = 20;

/**
 * @param expressions types, such as `Anthropic.Message`
 * @param imports statements that they need
 */
export function declaredTypes<Name extends string>(
  imports: readonly string[],
  expressions: Readonly<Record<Name, string>>,
): Readonly<Record<Name, DeclaredType>> {
  const file = path.join(repositoryRoot, 'test/declared-types.virtual.ts');
  const names = Object.keys(expressions) as Name[];
  const text = [...imports, ...names.map((name, at) => `export type T${at} = ${expressions[name]};`)].join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const real = ts.createCompilerHost(options);
  host.fileExists = (name) => name === file || real.fileExists(name);
  host.readFile = (name) => (name === file ? text : real.readFile(name));
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true) : real.getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error('no source');
  const [wrong] = program.getSemanticDiagnostics(source);
  if (wrong !== undefined) throw new Error(ts.flattenDiagnosticMessageText(wrong.messageText, '\n'));
  const checker = program.getTypeChecker();
  const aliases = source.statements.filter(ts.isTypeAliasDeclaration);
  const reader = new TypeReader(checker);
  const entries = names.map((name, at) => {
    const type = checker.getTypeAtLocation(aliases[at]!.name);
    // A name that is not declared is `any`, which allows everything.
    if ((type.flags & ts.TypeFlags.Any) !== 0) throw new Error(`${expressions[name]} is not declared`);
    return [name, { problemsOf: (value: unknown) => reader.problems(value, type, '') }] as const;
  });
  return Object.fromEntries(entries) as Record<Name, DeclaredType>;
}

class TypeReader {
  constructor(private readonly checker: ts.TypeChecker) {}

  problems(value: unknown, type: ts.Type, at: string): readonly string[] {
    const { flags } = type;
    if ((flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0 || at.split(/[.[]/).length > MAX_DEPTH) return [];
    if (type.isUnion()) return this.ofUnion(value, type.types, at);
    if (type.isIntersection()) return type.types.flatMap((part) => this.problems(value, part, at));
    const right = this.isOfSimple(value, type);
    if (right !== undefined) return right ? [] : [`${at}: ${this.checker.typeToString(type)} expected`];
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      if (!Array.isArray(value)) return [`${at}: a list expected`];
      return item === undefined ? [] : value.flatMap((one, index) => this.problems(one, item, `${at}[${index}]`));
    }
    return this.ofObject(value, type, at);
  }

  /** Undefined for types that have parts. */
  private isOfSimple(value: unknown, type: ts.Type): boolean | undefined {
    const { flags } = type;
    if (type.isStringLiteral() || type.isNumberLiteral()) return value === type.value;
    if ((flags & ts.TypeFlags.BooleanLiteral) !== 0) return String(value) === this.checker.typeToString(type);
    if ((flags & ts.TypeFlags.Null) !== 0) return value === null;
    if ((flags & ts.TypeFlags.Undefined) !== 0) return value === undefined;
    if ((flags & ts.TypeFlags.StringLike) !== 0) return typeof value === 'string';
    if ((flags & ts.TypeFlags.NumberLike) !== 0) return typeof value === 'number';
    if ((flags & ts.TypeFlags.BooleanLike) !== 0) return typeof value === 'boolean';
    return undefined;
  }

  /** Of the alternative with the fewest, because that is the one that is meant. */
  private ofUnion(value: unknown, types: readonly ts.Type[], at: string): readonly string[] {
    let fewest: readonly string[] | undefined;
    for (const type of types) {
      const found = this.problems(value, type, at);
      if (found.length === 0) return [];
      if (fewest === undefined || weightOf(found, at) < weightOf(fewest, at)) fewest = found;
    }
    return fewest ?? [];
  }

  private ofObject(value: unknown, type: ts.Type, at: string): readonly string[] {
    const members = this.checker.getPropertiesOfType(type);
    // `{}`, of `string & {}`, is anything.
    if (members.length === 0 && value !== null) return [];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at}: an object expected`];
    const object = value as Record<string, unknown>;
    return members.flatMap((member) => {
      const { name } = member;
      const path = at === '' ? name : `${at}.${name}`;
      const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
      // Methods and what the client adds by itself (`_request_id`) are not in the JSON.
      if ((member.flags & ts.SymbolFlags.Method) !== 0 || name.startsWith('_')) return [];
      if (!Object.hasOwn(object, name)) return isOptional ? [] : [`${path}: missing`];
      return this.problems(object[name], this.checker.getTypeOfSymbol(member), path);
    });
  }
}

/** An alternative whose own `type` or `object` is another one is not the one that is meant. */
const weightOf = (problems: readonly string[], at: string): number => {
  const marks = ['type', 'object', 'role'].map((name) => (at === '' ? name : `${at}.${name}`));
  const isOther = problems.some((problem) => marks.some((mark) => problem.startsWith(`${mark}:`)));
  return problems.length + (isOther ? 1_000 : 0);
};
