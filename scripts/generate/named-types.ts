import ts from 'typescript';
import { plainComment } from './type-comments.ts';

const { factory } = ts;

/**
 * The types of a contract as editors should show them: each schema and each query under a name of its own, with the
 * contract's descriptions as the text of its comments. `components["schemas"]["Payment"]` has no name, so a hover
 * would show all of its thirty fields.
 */
export function namedTypes(nodes: readonly ts.Node[]): {
  readonly models: readonly ts.Node[];
  readonly api: readonly ts.Node[];
} {
  const schemas = membersOf(interfaceNamed(nodes, 'components'), 'schemas');
  const rewrite = rewriterOf(nodes, schemas);
  const queries: ts.Node[] = [];
  const api = nodes.map((node) => {
    if (isInterface(node, 'components')) return rewrite(withReferences(node, schemas));
    return isInterface(node, 'operations') ? rewrite(withQueries(node, rewrite, queries)) : rewrite(node);
  });
  const models = schemas.map((schema) => alias(nameOf(schema), rewrite(typeOf(schema)), schema));
  const names = [...models, ...queries].map((node) => (node as ts.TypeAliasDeclaration).name.text);
  return { models: [...models, ...queries], api: [importOf(names.sort()), ...api] };
}

/** Puts names for the schemas and the types of parameters in their places, and words into the comments. */
function rewriterOf(nodes: readonly ts.Node[], schemas: readonly ts.PropertySignature[]) {
  const parameters = new Map(
    membersOf(interfaceNamed(nodes, 'components'), 'parameters').map((each) => [nameOf(each), typeOf(each)]),
  );
  const comments = new Map(schemas.map((each) => [nameOf(each), ts.getSyntheticLeadingComments(each)]));
  return function rewrite<N extends ts.Node>(root: N): N {
    const visit = (node: ts.Node): ts.Node => {
      const [kind, name = ''] = componentAt(node);
      if (kind === 'schemas') return factory.createTypeReferenceNode(name);
      const parameter = kind === 'parameters' ? parameters.get(name) : undefined;
      if (parameter !== undefined) return visit(parameter);
      const visited = ts.visitEachChild(node, visit, undefined);
      return ts.isPropertySignature(visited) ? commented(visited, node, comments) : visited;
    };
    return visit(root) as N;
  };
}

type Comments = readonly ts.SynthesizedComment[] | undefined;

/** A field with the contract's words; one that has none of its own gets those of its type. */
function commented(
  field: ts.PropertySignature,
  original: ts.Node,
  ofTypes: ReadonlyMap<string, Comments>,
): ts.PropertySignature {
  const own = ts.getSyntheticLeadingComments(original);
  const { type } = field;
  const named = type && ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) ? type.typeName.text : '';
  return ts.setSyntheticLeadingComments(field, wordsOf(own ?? ofTypes.get(named)));
}

const wordsOf = (comments: Comments): ts.SynthesizedComment[] | undefined =>
  comments?.map((comment) => ({ ...comment, text: plainComment(comment.text) }));

/** `["schemas", "Payment"]` of `components["schemas"]["Payment"]`; nothing of any other node. */
function componentAt(node: ts.Node): readonly string[] {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return [];
  const [kind, name] = [node.objectType.indexType, node.indexType].map((each) =>
    ts.isLiteralTypeNode(each) && ts.isStringLiteral(each.literal) ? each.literal.text : '',
  );
  return [kind ?? '', name ?? ''];
}

/** Every schema under `components` is the named type. */
function withReferences(node: ts.Node, schemas: readonly ts.PropertySignature[]): ts.Node {
  const own = new Set<ts.Node>(schemas);
  const visit = (child: ts.Node): ts.Node =>
    own.has(child) && ts.isPropertySignature(child)
      ? factory.createPropertySignature(
          child.modifiers,
          child.name,
          child.questionToken,
          factory.createTypeReferenceNode(nameOf(child)),
        )
      : ts.visitEachChild(child, visit, undefined);
  return visit(node);
}

/** Gives the query of each operation a name; its values may be undefined, which a caller's variables often are. */
function withQueries(node: ts.InterfaceDeclaration, rewrite: <N extends ts.Node>(node: N) => N, queries: ts.Node[]) {
  const members = node.members.map((operation) => {
    if (!ts.isPropertySignature(operation)) return operation;
    const name = `${nameOf(operation).replace(/^./, (first) => first.toUpperCase())}Query`;
    const visit = (child: ts.Node): ts.Node => {
      const isQuery = ts.isPropertySignature(child) && nameOf(child) === 'query';
      if (!isQuery || !ts.isTypeLiteralNode(typeOf(child))) return ts.visitEachChild(child, visit, undefined);
      queries.push(alias(name, orUndefined(rewrite(typeOf(child)) as ts.TypeLiteralNode), child));
      const { modifiers, questionToken } = child;
      return factory.createPropertySignature(
        modifiers,
        child.name,
        questionToken,
        factory.createTypeReferenceNode(name),
      );
    };
    return visit(operation) as ts.TypeElement;
  });
  return factory.updateInterfaceDeclaration(node, node.modifiers, node.name, undefined, undefined, members);
}

/** Every optional field may be undefined, too. */
function orUndefined(type: ts.TypeLiteralNode): ts.TypeNode {
  const members = type.members.map((field) => {
    if (!ts.isPropertySignature(field) || field.questionToken === undefined) return field;
    const either = factory.createUnionTypeNode([
      typeOf(field),
      factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword),
    ]);
    return factory.updatePropertySignature(field, field.modifiers, field.name, field.questionToken, either);
  });
  return factory.updateTypeLiteralNode(type, factory.createNodeArray(members));
}

function alias(name: string, type: ts.TypeNode, described: ts.Node): ts.Node {
  const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declaration = factory.createTypeAliasDeclaration(exported, name, undefined, type);
  return ts.setSyntheticLeadingComments(declaration, wordsOf(ts.getSyntheticLeadingComments(described)));
}

function importOf(names: readonly string[]): ts.Node {
  const specifiers = names.map((name) =>
    factory.createImportSpecifier(false, undefined, factory.createIdentifier(name)),
  );
  const clause = factory.createImportClause(true, undefined, factory.createNamedImports(specifiers));
  return factory.createImportDeclaration(undefined, clause, factory.createStringLiteral('./models.ts'));
}

const isInterface = (node: ts.Node, name: string): node is ts.InterfaceDeclaration =>
  ts.isInterfaceDeclaration(node) && node.name.text === name;

function interfaceNamed(nodes: readonly ts.Node[], name: string): ts.InterfaceDeclaration {
  const found = nodes.find((node) => isInterface(node, name));
  if (found === undefined || !isInterface(found, name)) throw new Error(`The types have no ${name}.`);
  return found;
}

/** The members of `components.schemas` and of its neighbours. */
function membersOf(node: ts.InterfaceDeclaration, name: string): ts.PropertySignature[] {
  const found = node.members.find((member) => ts.isPropertySignature(member) && nameOf(member) === name);
  if (found === undefined || !ts.isPropertySignature(found) || !ts.isTypeLiteralNode(typeOf(found))) return [];
  return (typeOf(found) as ts.TypeLiteralNode).members.filter(ts.isPropertySignature);
}

function typeOf({ type }: ts.PropertySignature): ts.TypeNode {
  if (type === undefined) throw new Error('A field of the types has no type.');
  return type;
}

const nameOf = ({ name }: ts.PropertySignature): string =>
  ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';
