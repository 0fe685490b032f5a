/** The files of a service, in the order in which a reader meets them. */
import type { Names } from '../names.ts';
import { pathOf } from './contract.ts';
import { featureFiles, tableSql, tableType } from './feature.ts';
import { migrationFile, migrationIndex } from './migration.ts';

/** Versions of the packages that a service needs, as the others have them. */
export type Versions = { typebox: string; kysely: string };

/** Texts of the service's files by their path below its folder. Its first feature has its name. */
export function serviceFiles(service: Names, migration: string, versions: Versions): Record<string, string> {
  const name = service.kebab;
  return {
    'README.md': readme(service),
    'package.json': packageJson(name, versions),
    'tsconfig.json':
      '{ "extends": "../../tsconfig.base.json", "include": ["**/*.ts"], "exclude": ["node_modules", "dist"] }',
    'src/main.ts': MAIN,
    'src/migrate.ts': MIGRATE,
    'src/ops.ts': OPS,
    'src/config.ts': CONFIG,
    'src/context.ts': CONTEXT,
    'src/app.ts': app(service),
    'src/db/schema.ts': schema(service),
    'src/db/kept-tables.ts': KEPT_TABLES,
    'src/db/migrations/index.ts': migrationIndex(migration),
    [`src/db/migrations/${migration}.ts`]: migrationFile(
      `The ${name} database: ${service.words} and the tables of the bus.`,
      tableSql(service),
      true,
    ),
    ...featureFiles(name, service),
    [`test/${name}.int.test.ts`]: httpTest(service),
  };
}

const packageJson = (name: string, { typebox, kysely }: Versions): string =>
  JSON.stringify({
    name: `@karaar/service-${name}`,
    version: '0.1.0',
    private: true,
    type: 'module',
    exports: { './ops': './src/ops.ts', './*': './src/*.ts' },
    nx: { tags: ['type:service', `scope:${name}`, 'runtime:node'] },
    scripts: {
      typecheck: 'node ../../node_modules/@typescript/native/bin/tsc -p tsconfig.json',
      start: 'node src/main.ts',
    },
    dependencies: { '@karaar/contracts': '*', '@karaar/platform': '*', typebox, kysely },
    devDependencies: { '@karaar/testing': '*' },
  });

const MAIN = `import { runService } from '@karaar/platform/http-kit';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await runService((env) => createApp(readConfig(env)));
`;

const MIGRATE = `/** The migration job: brings the tables up to date and ends. */
import { runMigrations } from '@karaar/platform/service';
import { keptTables } from './db/kept-tables.ts';
import { migrations } from './db/migrations/index.ts';

await runMigrations({ migrations, keptTables });
`;

const OPS = `/** What the operator's tool takes of this service. */
export { keptTables } from './db/kept-tables.ts';
export { migrations } from './db/migrations/index.ts';
`;

const KEPT_TABLES = `import type { KeptTables } from '@karaar/platform/db-kit';

/** Tables whose rows the service may add and not change, and what it may change in them after all. */
export const keptTables: KeptTables = {};
`;

const CONFIG = `import { loadConfig } from '@karaar/platform/config';
import { serviceEnv } from '@karaar/platform/service';
import { Type, type Static } from 'typebox';

export const Config = Type.Object(serviceEnv);
export type Config = Readonly<Static<typeof Config>>;

/** Reads the environment once; lists every fault. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => loadConfig(Config, env);
`;

const CONTEXT = `/** What the features need, named once. */
import type { Foundation } from '@karaar/platform/service';
import type { Database } from './db/schema.ts';

export type Context = Foundation<Database>;
`;

const app = ({ kebab, camel }: Names): string => `/** The composition root of the ${kebab} service. */
import { startService } from '@karaar/platform/service';
import type { Config } from './config.ts';
import { keptTables } from './db/kept-tables.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { ${camel}Routes } from './features/${kebab}/${kebab}.routes.ts';

export async function createApp(config: Config) {
  return startService<Database>(config, {
    migrations,
    keptTables,
    build: async (ctx, app) => {
      ${camel}Routes(app, ctx);
      return {};
    },
  });
}
`;

const schema = (
  service: Names,
): string => `/** The ${service.kebab} database as kysely sees it; the migrations are its source. */
import type { ColumnType, Kysely } from 'kysely';

${tableType(service)}
export type Database = { ${service.snake}: ${service.pascal}Table };

/** The service's database, or a transaction on it. */
export type Db = Kysely<Database>;
`;

const httpTest = (service: Names): string => {
  const { kebab, words, one } = service;
  const path = pathOf(kebab, service);
  return `/** The ${kebab} service as its callers meet it: on real backing services, over HTTP. */
import { Value } from 'typebox/value';
import { ${one} } from '@karaar/contracts/${kebab}/http';
import { startBrokerAdmin } from '@karaar/platform/bus';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

let world: ServiceWorld;
let service: Awaited<ReturnType<typeof createApp>>;
let asha: WorldUser;
let vikram: WorldUser;

beforeAll(async () => {
  world = await startServiceWorld('${kebab}', { service: '${kebab}', startBrokerAdmin });
  service = await createApp(readConfig(world.env));
  asha = await world.addUser('Asha Rao');
  vikram = await world.addUser('Vikram Shah');
}, 120_000);
afterAll(async () => {
  await service.app.close();
  await service.close();
  await world.stop();
});

async function call(user: WorldUser | undefined, method: string, path: string, body?: unknown) {
  const response = await fetch(\`\${service.url}\${path}\`, {
    method,
    headers: { ...user?.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('${words}', () => {
  it('are written, read and listed by their owner', async () => {
    const { status, body } = await call(asha, 'POST', '${path}', { title: '  Renew the lease ' });
    expect(status).toBe(201);
    expect(Value.Check(${one}, body)).toBe(true);
    expect(body['title']).toBe('Renew the lease');
    expect(await call(asha, 'GET', \`${path}/\${String(body['_id'])}\`)).toEqual({ status: 200, body });
    expect((await call(asha, 'GET', '${path}')).body).toEqual([body]);
  });

  it('are as unknown to others as what does not exist', async () => {
    const { body } = await call(asha, 'POST', '${path}', { title: 'Private' });
    expect((await call(vikram, 'GET', \`${path}/\${String(body['_id'])}\`)).status).toBe(404);
    expect((await call(vikram, 'GET', '${path}')).body).toEqual([]);
  });

  it('need a login and a title', async () => {
    expect((await call(undefined, 'GET', '${path}')).status).toBe(401);
    const refused = await call(asha, 'POST', '${path}', { title: '   ' });
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: 'title' }] } });
  });
});
`;
};

const readme = (service: Names): string => {
  const { kebab, words, snake, oneWords } = service;
  const path = pathOf(kebab, service);
  return `# ${kebab}

## What it owns

The ${words} of users, in the database \`karaar_${kebab}\`.

| table    | what is in it                                                     |
| -------- | ----------------------------------------------------------------- |
| \`${snake}\` | one row per ${oneWords}: whose it is, its title and when it was written |

## Endpoints

| call               | for whom |                                                        |
| ------------------ | -------- | ------------------------------------------------------ |
| \`GET ${path}\`     | user     | the caller's, newest first; \`cursor\` is the last id before |
| \`POST ${path}\`    | user     | writes one                                             |
| \`GET ${path}/:id\` | user     | one of the caller's; 404 for another user's            |

\`/healthz\` and \`/readyz\` as every service, and \`/metrics\` at the inner door.

## Events in and out

None. It asks \`rpc.auth.session-status.v1\` when Redis cannot tell a session's state.

## Failure modes

| what is away             | what happens                                       |
| ------------------------ | -------------------------------------------------- |
| Postgres                 | 503; \`/readyz\` names \`database\`                    |
| NATS                     | goes on; \`/readyz\` names \`broker\`                  |
| Redis, then auth as well | 503 for every call that needs a login; none is let in |

## Configuration

The variables of every service (\`serviceEnv\` in \`libs/platform/src/service\`), none of its own.
`;
};
