/** `export type Database = { table: Row; … }` of a service's `db/schema.ts`, read by TypeScript's own parser. */
import ts from 'typescript';
import { Refusal } from './refusal.ts';

/** The names of the tables, in their order. Throws a Refusal when the text has no such type. */
export const tablesOf = (schema: string, path: string): string[] =>
  databaseOf(schema, path).members.map((member) => member.name?.getText() ?? '');

/** The text with one more table at the end of the type. Throws a Refusal when the text has no such type. */
export function withTableListed(schema: string, path: string, table: string, row: string): string {
  const { members } = databaseOf(schema, path);
  const piece = ` ${table}: ${row};`;
  const separated = /[;,]$/.test(schema.slice(0, members.end).trimEnd()) ? piece : `;${piece}`;
  return schema.slice(0, members.end) + separated + schema.slice(members.end);
}

function databaseOf(schema: string, path: string): ts.TypeLiteralNode {
  const file = ts.createSourceFile(path, schema, ts.ScriptTarget.Latest, true);
  for (const statement of file.statements) {
    if (!ts.isTypeAliasDeclaration(statement) || statement.name.text !== 'Database') continue;
    if (ts.isTypeLiteralNode(statement.type)) return statement.type;
  }
  throw new Refusal(`${path} has no "export type Database = { … }".`);
}
