/** The rules for ALTER TABLE on existing tables. */
import { lastNameOf, nodeOf, nodesOf, textOf, within, type Fields, type Node } from './tree.ts';

export type Rule =
  | 'rewrites the table'
  | 'reads the whole table while it is locked'
  | 'blocks writes while it makes an index'
  | 'writes every row at once'
  | 'removes what the previous release uses'
  | 'requires values that the previous release does not write'
  | 'hides statements in a DO block'
  | 'belongs in a transaction';

const KEYS = ['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_EXCLUSION'];
const BY_COMMAND: Readonly<Record<string, Rule[]>> = {
  AT_AlterColumnType: ['rewrites the table', 'removes what the previous release uses'],
  AT_SetLogged: ['rewrites the table'],
  AT_SetUnLogged: ['rewrites the table'],
  AT_SetAccessMethod: ['rewrites the table'],
  AT_SetTableSpace: ['rewrites the table'],
  AT_SetExpression: ['rewrites the table'],
  AT_SetNotNull: [
    'reads the whole table while it is locked',
    'requires values that the previous release does not write',
  ],
  AT_AttachPartition: ['reads the whole table while it is locked'],
  AT_DropColumn: ['removes what the previous release uses'],
};
const SERIAL = /^(small|big)?serial[248]?$/;

/** Returns the rules that one command of an ALTER TABLE breaks. */
export function alterRules(cmd: Fields, volatile: ReadonlySet<string>): Rule[] {
  const subtype = textOf(cmd['subtype']);
  if (subtype === 'AT_AddConstraint') return constraintRules(nodeOf(cmd['def']).fields);
  if (subtype === 'AT_AddColumn') return columnRules(nodeOf(cmd['def']).fields, volatile);
  return BY_COMMAND[subtype] ?? [];
}

/** A constraint reads all rows at once, unless a later VALIDATE or an existing index does that. */
function constraintRules(constraint: Fields): Rule[] {
  if (KEYS.includes(textOf(constraint['contype'])))
    return constraint['indexname'] === undefined ? ['blocks writes while it makes an index'] : [];
  return constraint['skip_validation'] === true ? [] : ['reads the whole table while it is locked'];
}

function columnRules(column: Fields, volatile: ReadonlySet<string>): Rule[] {
  const constraints = nodesOf(column['constraints']);
  const of = (type: string) => constraints.find(({ fields }) => fields['contype'] === type);
  const typeNode = column['typeName'] as Fields | undefined;
  const serial = SERIAL.test(lastNameOf(typeNode?.['names']));
  const computed = serial || of('CONSTR_IDENTITY') !== undefined || isStored(of('CONSTR_GENERATED'));
  const byRow = within(of('CONSTR_DEFAULT')?.fields, 'FuncCall').some(({ funcname }) =>
    volatile.has(lastNameOf(funcname)),
  );
  const rules: Rule[] = [];
  if (computed || byRow) rules.push('rewrites the table');
  if (of('CONSTR_CHECK') ?? of('CONSTR_FOREIGN')) rules.push('reads the whole table while it is locked');
  if (KEYS.some(of)) rules.push('blocks writes while it makes an index');
  if (of('CONSTR_NOTNULL') && !of('CONSTR_DEFAULT') && !computed)
    rules.push('requires values that the previous release does not write');
  return rules;
}

const isStored = (generated: Node | undefined): boolean => generated?.fields['generated_kind'] === 's';
