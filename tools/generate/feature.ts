/** `generate feature SERVICE NAME`: contract, table and all doors of a new feature, wired into the service. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withTableListed } from './database-type.ts';
import { addImport, insertAfterLastLine, insertBefore } from './edit.ts';
import { newMigration } from './migration.ts';
import { featureName, serviceName, type Names } from './names.ts';
import { read, type Plan } from './plan.ts';
import { Refusal } from './refusal.ts';
import { contractRoutes, contractSchema, KIT_NAMES, pathOf } from './templates/contract.ts';
import { featureFiles, tableSql, tableType } from './templates/feature.ts';
import { migrationFile } from './templates/migration.ts';

export function planFeature(root: string, serviceText: string, featureText: string, now: Date): Plan {
  const service = serviceName(serviceText).kebab;
  const feature = featureName(featureText);
  const folder = `services/${service}`;
  if (!existsSync(join(root, folder))) throw new Refusal(`There is no ${folder}.`);
  const own = `${folder}/src/features/${feature.kebab}`;
  if (existsSync(join(root, own))) throw new Refusal(`There is ${own} already. Nothing was written.`);
  const migration = newMigration(root, service, feature.kebab, {
    now,
    text: migrationFile(`Makes ${feature.words}.`, tableSql(feature)),
  });
  const files = Object.entries(featureFiles(service, feature));
  const contract = `libs/contracts/${service}/http.ts`;
  const [schema, app] = [`${folder}/src/db/schema.ts`, `${folder}/src/app.ts`];
  return {
    made: `The feature ${feature.kebab} of ${service}, at ${pathOf(service, feature)}.`,
    create: {
      ...Object.fromEntries(files.map(([path, text]) => [`${folder}/${path}`, text])),
      ...migration.create,
    },
    change: {
      ...migration.change,
      [contract]: withRoutes(read(root, contract), service, feature),
      [schema]: withTable(read(root, schema), schema, feature),
      [app]: withFeature(read(root, app), app, feature),
    },
    byHand: [
      [`${folder}/README.md`, 'the new calls and the table'],
      [`${folder}/test/`, 'the calls as their callers meet them, over HTTP'],
      ['docs/ARCHITECTURE.md', `\`${feature.snake}\` beside the tables of ${service}`],
      [
        `${folder}/test/personal-data.int.test.ts`,
        `erasure and export of ${feature.snake}.owner_id, or the reason why it stays`,
      ],
      ['e2e/src/authorization/strangers.ts', "what a stranger may try on another user's object"],
      [
        'libs/api-client/src/errors/texts/',
        `what ${feature.oneWords.replaceAll(' ', '_')}_not_found says, in all languages`,
      ],
    ],
    run: ['npm run typecheck && npm run lint', `npm test -- ${folder}`],
  };
}

function withRoutes(text: string, service: string, feature: Names): string {
  const routes = `export const ${service}Routes = {`;
  const clash = [
    `const ${feature.one} `,
    `list${feature.pascal}:`,
    `get${feature.one}:`,
    `create${feature.one}:`,
  ];
  for (const name of clash) {
    if (text.includes(name)) {
      throw new Refusal(
        `The contract of ${service} has "${name.trim().replace(/:$/, '')}" already. Choose another name.`,
      );
    }
  }
  const place = new RegExp(`^${routes.replace('{', '\\{')}`, 'm');
  const shaped = insertBefore(text, place, `${contractSchema(feature)}\n`, routes);
  const start = shaped.indexOf(routes);
  const end = shaped.indexOf('\n} as const;', start);
  if (end === -1) throw new Refusal(`The end of ${service}Routes was not found.`);
  const whole = `${shaped.slice(0, end)}\n${contractRoutes(service, feature)}${shaped.slice(end)}`;
  return addImport(whole, '../kit.ts', KIT_NAMES);
}

function withTable(text: string, path: string, feature: Names): string {
  if (new RegExp(`\\b(${feature.snake}:|${feature.pascal}Table\\b)`).test(text)) {
    throw new Refusal(`${path} has a table ${feature.snake} already. Choose another name.`);
  }
  const typed = insertBefore(
    text,
    /^export type Database = /m,
    `${tableType(feature)}\n`,
    `Database in ${path}`,
  );
  const listed = withTableListed(typed, path, feature.snake, `${feature.pascal}Table`);
  return addImport(listed, 'kysely', ['ColumnType'], 'import type');
}

function withFeature(text: string, path: string, { kebab, camel }: Names): string {
  const call = `      ${camel}Routes(app, ctx);`;
  const mounted = insertAfterLastLine(
    text,
    /^\s*\w+Routes\(app, ctx\);$/,
    call,
    `A line like "xRoutes(app, ctx);" in ${path}`,
  );
  const line = `import { ${camel}Routes } from './features/${kebab}/${kebab}.routes.ts';`;
  return insertAfterLastLine(
    mounted,
    /^import .* from '\.\/features\/.*';$/,
    line,
    `The imports of features in ${path}`,
  );
}
