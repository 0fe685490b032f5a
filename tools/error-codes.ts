/** The codes that services and the gateway put on the wire, from the source: `{ detail, code }` of libs/platform/src/errors. */
import ts from 'typescript';
import { sourceFiles, textOf } from './test-support/source-files.ts';

/** Factories of libs/platform/src/errors whose first argument is the code. */
const FACTORIES = new Set([
  ...['badRequest', 'unauthorized', 'forbidden', 'notFound', 'conflict'],
  ...['unprocessable', 'unavailable', 'payloadTooLarge', 'unsupportedMedia'],
]);

export type CodeUse = { code: string; at: string };

/** The codes of a file; where one is not a literal, `at` says so in `open`. */
function codesOf(path: string): { codes: CodeUse[]; open: string[] } {
  const file = ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true);
  const codes: CodeUse[] = [];
  const open: string[] = [];
  const take = (node: ts.Expression | undefined, call: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(call.getStart());
    const at = `${path}:${line + 1}`;
    if (node && ts.isStringLiteral(node)) codes.push({ code: node.text, at });
    else if (node && ts.isConditionalExpression(node)) {
      take(node.whenTrue, call);
      take(node.whenFalse, call);
    } else open.push(at);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && FACTORIES.has(node.expression.getText())) take(node.arguments[0], node);
    if (ts.isNewExpression(node) && node.expression.getText() === 'AppError') take(node.arguments?.[1], node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  // What no factory makes: the answer to an error that nobody expected, or of a backing service that is away.
  for (const [, code] of textOf(path).matchAll(/^const \w+: WireBody = \{[^}]*?code: '(\w+)'/gms))
    if (code) codes.push({ code, at: path });
  // What is written down once, for as many as are turned away.
  for (const [, code] of textOf(path).matchAll(/JSON\.stringify\(\{ detail, code: '(\w+)' \}\)/g))
    if (code) codes.push({ code, at: path });
  return { codes, open };
}

/** Every code of the product, and the places whose code is not readable in the source. */
export function errorCodes(): { codes: CodeUse[]; open: string[] } {
  const files = sourceFiles('services/*/src/*.ts', 'libs/platform/src/*.ts', 'gateway/src/*.ts').filter(
    (path) => !/\.test\.ts$/.test(path),
  );
  const found = files.map(codesOf);
  return { codes: found.flatMap((each) => each.codes), open: found.flatMap((each) => each.open) };
}
