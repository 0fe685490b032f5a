/** Finds the uses of texts in code: `const t = useTexts(x)` → `t('key', { … })`, `x.say('key', { … })`. */
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { textOf } from './testing/source-files.ts';

export type TextUse = { at: string; folder: string; key: string; args: string[] | null };

/** Returns the property names of an object literal; null if they are unknown. */
function propertyNames(node: ts.Expression | undefined): string[] | null {
  if (!node) return [];
  if (!ts.isObjectLiteralExpression(node) || node.properties.some(ts.isSpreadAssignment)) return null;
  return node.properties.map((property) => property.name?.getText() ?? '');
}

/** Returns the keys that an expression can be, if it is a literal or a choice of literals. */
function keysOf(node: ts.Expression | undefined): string[] {
  if (!node) return [];
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...keysOf(node.whenTrue), ...keysOf(node.whenFalse)];
  return ts.isParenthesizedExpression(node) ? keysOf(node.expression) : [];
}

/** Returns the uses of texts by a literal key in a file. */
export function textUses(path: string): TextUse[] {
  const file = ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true);
  /** The name of each catalog in this file, with the folder of its `texts.ts`. */
  const catalogs = new Map<string, string>();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const from = (statement.moduleSpecifier as ts.StringLiteral).text;
    const names = statement.importClause?.namedBindings;
    if (!from.endsWith('/texts.ts') || !names || !ts.isNamedImports(names)) continue;
    for (const { name } of names.elements)
      catalogs.set(name.text, normalize(join(dirname(path), dirname(from))));
  }
  const speakers = new Map<string, string>();
  const uses: TextUse[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isCallExpression(node.initializer)) {
      const [catalog] = node.initializer.arguments;
      const folder = catalog && catalogs.get(catalog.getText());
      if (node.initializer.expression.getText() === 'useTexts' && folder)
        speakers.set(node.name.getText(), folder);
    }
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText();
      const folder = speakers.get(callee) ?? catalogs.get(callee.replace(/\.say$/, ''));
      if (folder && (speakers.has(callee) || callee.endsWith('.say')))
        for (const key of keysOf(node.arguments[0])) {
          const { line } = file.getLineAndCharacterOfPosition(node.getStart());
          uses.push({ at: `${path}:${line + 1}`, folder, key, args: propertyNames(node.arguments[1]) });
        }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return uses;
}
