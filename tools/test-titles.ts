import ts from 'typescript';

export type Title = {
  text: string;
  line: number;
  /** True for the title of a group, which proves nothing by itself. */
  group: boolean;
};

/** Returns true for `describe` and `describe.each(table)`. */
function isGroupCall(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return node.text === 'describe';
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return isGroupCall(node.expression);
  return ts.isTaggedTemplateExpression(node) && isGroupCall(node.tag);
}

/**
 * Returns the titles of tests and groups from the syntax tree, including texts in tables of tests: every text
 * outside function bodies, except that bodies of groups are searched.
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
