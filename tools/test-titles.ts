/** The titles of a test file, read from its syntax tree: comments and strings inside tests do not count. Pure. */
import ts from 'typescript';

export type Title = {
  text: string;
  /** From 1. */
  line: number;
  /** The title of a group, which holds whatever tests are in it. */
  group: boolean;
};

/** The `describe` of `describe.each(table)`. */
function isGroupCall(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return node.text === 'describe';
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return isGroupCall(node.expression);
  return ts.isTaggedTemplateExpression(node) && isGroupCall(node.tag);
}

/**
 * Titles of tests and groups, entries of tables of them included: every text that is in no function's body, except
 * that the body of a group is looked into.
 */
export function titlesOf(source: string, path = 'x.test.tsx'): Title[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const titles: Title[] = [];

  const visit = (node: ts.Node, group: boolean): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      titles.push({ text: node.getText().slice(1, -1), line, group });
      return;
    }
    if (ts.isFunctionLike(node) || ts.isImportDeclaration(node)) return;
    if (!ts.isCallExpression(node)) return ts.forEachChild(node, (child) => visit(child, group));
    const isGroup = isGroupCall(node.expression);
    visit(node.expression, group);
    for (const argument of node.arguments) {
      if (isGroup && (ts.isArrowFunction(argument) || ts.isFunctionExpression(argument)))
        ts.forEachChild(argument.body, (child) => visit(child, false));
      else visit(argument, isGroup);
    }
  };
  ts.forEachChild(file, (node) => visit(node, false));
  return titles;
}
