/**
 * Rules for migrations of tables that hold rows and that the previous release uses (ADR 0071). Tables that
 * the migration itself creates are free.
 */
import { alterRules, type Rule } from './alter-rules.ts';
import type { Seen, Written } from './statements.ts';
import {
  has,
  lastNameOf,
  nodesOf,
  parseStatements,
  tableOf,
  textOf,
  within,
  type Fields,
  type Node,
} from './tree.ts';

export type { Rule } from './alter-rules.ts';
export type Finding = { rule: Rule; statement: string };

type Scene = { made: Set<string>; added: Set<string>; volatile: ReadonlySet<string>; inTransaction: boolean };

export async function findingsOf(written: Written, volatile: Seen['volatile']): Promise<Finding[]> {
  const scene: Scene = {
    made: new Set(),
    added: new Set(),
    volatile,
    inTransaction: !written.withoutTransaction,
  };
  const findings: Finding[] = [];
  for (const text of written.statements)
    for (const node of await parseStatements(text)) {
      const rules = [
        ...rulesOf(node, scene),
        ...(scene.inTransaction || needsNoTransaction(node) ? [] : OUTSIDE),
      ];
      findings.push(...rules.map((rule) => ({ rule, statement: text.trim() })));
      remember(node, scene);
    }
  return findings;
}

const OUTSIDE: Rule[] = ['belongs in a transaction'];

/** Statements that may run outside a transaction: they block no other session and leave nothing half done. */
function needsNoTransaction({ kind, fields }: Node): boolean {
  if (kind === 'AlterTableStmt')
    return nodesOf(fields['cmds']).every(({ fields: cmd }) => cmd['subtype'] === 'AT_ValidateConstraint');
  if (kind === 'IndexStmt') return fields['concurrent'] === true;
  if (kind === 'ReindexStmt') return has(fields, 'params');
  if (kind === 'DropStmt') return fields['concurrent'] === true;
  return ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt', 'VacuumStmt'].includes(kind);
}

/** Remembers tables and constraints that the migration creates. */
function remember({ kind, fields }: Node, { made, added }: Scene): void {
  if (kind === 'CreateStmt') made.add(tableOf(fields['relation']));
  if (kind === 'CreateTableAsStmt') made.add(tableOf((fields['into'] as Fields)['rel']));
  if (kind === 'RenameStmt' && fields['renameType'] === 'OBJECT_TABLE') {
    const fresh = made.delete(tableOf(fields['relation']));
    if (fresh) made.add(textOf(fields['newname']));
  }
  if (kind === 'AlterTableStmt')
    for (const constraint of within(fields['cmds'], 'Constraint')) added.add(textOf(constraint['conname']));
}

function rulesOf({ kind, fields }: Node, scene: Scene): Rule[] {
  const table = tableOf(fields['relation']);
  const known = (name: string): boolean => name !== '' && !scene.made.has(name);
  const rules: Rule[] = writeRules({ kind, fields }, known, scene);
  switch (kind) {
    case 'AlterTableStmt':
      if (fields['objtype'] === 'OBJECT_TABLE' && known(table)) rules.push(...alterTableRules(fields, scene));
      break;
    case 'IndexStmt':
      if (known(table) && fields['concurrent'] !== true) rules.push('blocks writes while it makes an index');
      break;
    case 'ReindexStmt':
      if (!has(fields, 'params')) rules.push('blocks writes while it makes an index');
      break;
    case 'RenameStmt':
      if (
        ['OBJECT_TABLE', 'OBJECT_COLUMN', 'OBJECT_VIEW'].includes(textOf(fields['renameType'])) &&
        known(table)
      )
        rules.push('removes what the previous release uses');
      break;
    case 'DropStmt':
      if (droppedOf(fields).some(known)) rules.push('removes what the previous release uses');
      break;
    case 'ClusterStmt':
      rules.push('rewrites the table');
      break;
    case 'VacuumStmt':
      if (within(fields, 'DefElem').some(({ defname }) => defname === 'full'))
        rules.push('rewrites the table');
      break;
    case 'DoStmt':
      rules.push('hides statements in a DO block');
      break;
  }
  return rules;
}

function alterTableRules(fields: Fields, scene: Scene): Rule[] {
  return nodesOf(fields['cmds']).flatMap(({ fields: cmd }): Rule[] => {
    // VALIDATE in the same transaction still holds the lock of ADD CONSTRAINT.
    if (
      cmd['subtype'] === 'AT_ValidateConstraint' &&
      scene.inTransaction &&
      scene.added.has(textOf(cmd['name']))
    )
      return ['reads the whole table while it is locked'];
    return alterRules(cmd, scene.volatile);
  });
}

/** Finds changes of all rows, also in a WITH clause. Batches in their own transactions are allowed. */
function writeRules({ kind, fields }: Node, known: (name: string) => boolean, scene: Scene): Rule[] {
  const tree = { [kind]: fields };
  const whole = [...within(tree, 'UpdateStmt'), ...within(tree, 'DeleteStmt')].some(
    (write) => known(tableOf(write['relation'])) && (scene.inTransaction || !has(write, 'limitCount')),
  );
  const emptied =
    kind === 'TruncateStmt' && within(fields, 'RangeVar').some(({ relname }) => known(textOf(relname)));
  return whole || emptied ? ['writes every row at once'] : [];
}

const USED = [
  'OBJECT_TABLE',
  'OBJECT_VIEW',
  'OBJECT_MATVIEW',
  'OBJECT_FUNCTION',
  'OBJECT_TYPE',
  'OBJECT_SEQUENCE',
];

function droppedOf(fields: Fields): string[] {
  if (!USED.includes(textOf(fields['removeType']))) return [];
  return nodesOf(fields['objects']).map(({ kind, fields: object }) => {
    if (kind === 'List') return lastNameOf(object['items']);
    return lastNameOf(object['objname'] ?? object['names']);
  });
}
