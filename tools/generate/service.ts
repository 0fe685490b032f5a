/** `generate service NAME`: a whole small service with one feature, ready to be changed into what is needed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stamp } from './migration.ts';
import { serviceName } from './names.ts';
import { read, type Plan } from './plan.ts';
import { Refusal } from './refusal.ts';
import { contractFile } from './templates/contract.ts';
import { serviceFiles, type Versions } from './templates/service.ts';

export function planService(root: string, text: string, now: Date): Plan {
  const service = serviceName(text);
  const name = service.kebab;
  const folder = `services/${name}`;
  for (const path of [folder, `libs/contracts/${name}`]) {
    if (existsSync(join(root, path))) throw new Refusal(`There is ${path} already. Nothing was written.`);
  }
  const files = serviceFiles(service, `${stamp(now, [])}-init`, versions(root));
  const create = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]),
  );
  const variable = `${name.toUpperCase()}_URL`;
  return {
    made: `The service ${name}, with one feature of the same name and its contract.`,
    create: { ...create, [`libs/contracts/${name}/http.ts`]: contractFile(name, service) },
    change: contractsOf(root, name),
    byHand: [
      ['gateway/src/config.ts', `${variable}: Url`],
      ['gateway/src/proxy/upstream.ts', `${name}: how an error text calls it`],
      ['gateway/src/config.test.ts', `${variable} in the base environment`],
      ['gateway/test/ops.int.test.ts', `${name} in both health answers, and a listener for it in the second`],
      [
        'infra/dev/src/processes/services.ts',
        `service('${name}', …) in processSpecs, ${variable} of the gateway`,
      ],
      ['docs/ARCHITECTURE.md', 'what it owns and whom it talks to'],
    ],
    run: [
      'npm install                        # links the new package',
      'npm run openapi',
      'npm run typecheck && npm run lint',
      `npm test -- services/${name}`,
    ],
  };
}

/** The contracts that name every service: its name, its routes, and that it applies no events yet. */
function contractsOf(root: string, name: string): Record<string, string> {
  const [names, consumptions, services] = [
    'libs/contracts/names.ts',
    'libs/contracts/broker/consumptions.ts',
    'libs/contracts/services.ts',
  ];
  const own = `import { ${name}Routes } from './${name}/http.ts';\n`;
  return {
    [names]: inserted(read(root, names), 'SERVICE_NAMES = [', '] as const', `  '${name}',\n`),
    [consumptions]: inserted(read(root, consumptions), 'const consumptions', '};', `  ${name}: {},\n`),
    [services]: inserted(
      inserted(read(root, services), '', 'import type { RouteContract }', own),
      'const serviceRoutes',
      '};',
      `  ${name}: ${name}Routes,\n`,
    ),
  };
}

/** The text with one more line before the first `end` that begins a line after `start`. @throws Refusal where they are not */
function inserted(text: string, start: string, end: string, line: string): string {
  const from = text.indexOf(start);
  const at = text.indexOf(`\n${end}`, from);
  if (from < 0 || at < 0) throw new Refusal(`"${start}" … "${end}" is not in the contracts any more.`);
  return `${text.slice(0, at + 1)}${line}${text.slice(at + 1)}`;
}

/** As the cms service has them: the smallest one with a database. */
function versions(root: string): Versions {
  const { dependencies } = JSON.parse(read(root, 'services/cms/package.json')) as { dependencies: Versions };
  return { typebox: dependencies.typebox, kysely: dependencies.kysely };
}
