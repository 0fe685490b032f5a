/** The titles of a test file, read from its syntax tree: comments and strings inside tests do not count. Pure. */
import ts from 'typescript';

export type Title = {
  text: string;
  /** From 1. */
  line: number;
  /** The title of a group, which holds whatever tests stand in it. */
  group: boolean;
};

/** A test that may be missing from a run: `how` says by what. */
export type Vanishing = { line: number; how: 'disabled' | 'conditional' };

const TESTS = new Set(['it', 'test']);
const GROUPS = new Set(['describe', 'xdescribe', 'fdescribe']);
const OFF = new Set(['skip', 'only', 'todo', 'failing']);
const ALIASES = new Set(['xit', 'fit', 'xtest', 'xdescribe', 'fdescribe']);

/** `describe.each(table)`: its first name, and the names that follow. */
function chainOf(node: ts.Expression): { first: string; then: string[] } {
  if (ts.isIdentifier(node)) return { first: node.text, then: [] };
  if (ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node))
    return chainOf(ts.isCallExpression(node) ? node.expression : node.tag);
  if (!ts.isPropertyAccessExpression(node)) return { first: '', then: [] };
  const { first, then } = chainOf(node.expression);
  return { first, then: [...then, node.name.text] };
}

const isCondition = (node: ts.Node): boolean =>
  ts.isIfStatement(node) ||
  ts.isConditionalExpression(node) ||
  ts.isSwitchStatement(node) ||
  (ts.isBinaryExpression(node) &&
    [
      ts.SyntaxKind.AmpersandAmpersandToken,
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.QuestionQuestionToken,
    ].includes(node.operatorToken.kind));

/**
 * Titles of tests and groups, entries of tables of them included: every text that stands in no function's body, except
 * that the body of a group is looked into.
 */
export function readTests(source: string, path = 'x.test.tsx'): { titles: Title[]; vanishing: Vanishing[] } {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const titles: Title[] = [];
  const vanishing: Vanishing[] = [];
  const lineOf = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const vanish = (node: ts.Node, how: Vanishing['how']): void => {
    const line = lineOf(node);
    if (!vanishing.some((each) => each.line === line && each.how === how)) vanishing.push({ line, how });
  };

  const visit = (node: ts.Node, group: boolean, conditional: boolean): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      titles.push({ text: node.getText().slice(1, -1), line: lineOf(node), group });
      return;
    }
    if (ts.isFunctionLike(node) || ts.isImportDeclaration(node)) return;
    if (conditional && ts.isIdentifier(node) && (TESTS.has(node.text) || GROUPS.has(node.text)))
      vanish(node, 'conditional');
    if (!ts.isCallExpression(node)) {
      const under = conditional || isCondition(node);
      return ts.forEachChild(node, (child) => visit(child, group, under));
    }
    const { first, then } = chainOf(node.expression);
    const isGroup = GROUPS.has(first);
    const isTest = TESTS.has(first) || ALIASES.has(first);
    // `it.skip.each(table)(title)` are several calls of one chain: the innermost is looked at.
    const innermost = !ts.isCallExpression(node.expression);
    if ((isGroup || isTest) && innermost && (ALIASES.has(first) || then.some((name) => OFF.has(name))))
      vanish(node, 'disabled');
    visit(node.expression, group, conditional);
    for (const argument of node.arguments) {
      if (isGroup && (ts.isArrowFunction(argument) || ts.isFunctionExpression(argument)))
        ts.forEachChild(argument.body, (child) => visit(child, false, conditional));
      else visit(argument, isGroup, conditional);
    }
  };
  ts.forEachChild(file, (node) => visit(node, false, false));
  return { titles, vanishing };
}
