/** What changing a table that is there costs its readers and writers, and the release before. */
import { lastNameOf, nodeOf, nodesOf, textOf, within, type Fields, type Node } from './tree.ts';

/** A rule that a statement breaks. */
export type Rule =
  | 'rewrites the table'
  | 'reads the whole table while it is locked'
  | 'makes an index while nobody may write'
  | 'writes every row at once'
  | 'takes away what the release before uses'
  | 'asks for what the release before does not write'
  | 'hides statements in a DO block'
  | 'belongs in a transaction';

const KEYS = ['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_EXCLUSION'];
const SERIAL = /^(small|big)?serial[248]?$/;

/** One command of an ALTER TABLE on a table that was there before this migration. */
export function alterRules(cmd: Fields, volatile: ReadonlySet<string>): Rule[] {
  switch (textOf(cmd['subtype'])) {
    case 'AT_AlterColumnType':
      return ['rewrites the table', 'takes away what the release before uses'];
    case 'AT_SetLogged':
    case 'AT_SetUnLogged':
    case 'AT_SetAccessMethod':
    case 'AT_SetTableSpace':
    case 'AT_SetExpression':
      return ['rewrites the table'];
    case 'AT_SetNotNull':
      return ['reads the whole table while it is locked', 'asks for what the release before does not write'];
    case 'AT_AttachPartition':
      return ['reads the whole table while it is locked'];
    case 'AT_DropColumn':
      return ['takes away what the release before uses'];
    case 'AT_AddConstraint':
      return constraintRules(nodeOf(cmd['def']).fields);
    case 'AT_AddColumn':
      return columnRules(nodeOf(cmd['def']).fields, volatile);
    default:
      return [];
  }
}

/** Of rows that are there: read at once, unless it is left to VALIDATE or an index that was made before. */
function constraintRules(constraint: Fields): Rule[] {
  if (KEYS.includes(textOf(constraint['contype'])))
    return constraint['indexname'] === undefined ? ['makes an index while nobody may write'] : [];
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
  if (KEYS.some(of)) rules.push('makes an index while nobody may write');
  if (of('CONSTR_NOTNULL') && !of('CONSTR_DEFAULT') && !computed)
    rules.push('asks for what the release before does not write');
  return rules;
}

const isStored = (generated: Node | undefined): boolean => generated?.fields['generated_kind'] === 's';
