/** Plays the `Cluster` of CloudNativePG with one PostgreSQL: parameters, pg_hba, roles, limits, databases and TLS. */
import { ofKind, type KubeObject, type PodSpec, type Values } from '@karaar/k8s/objects';
import { Client } from 'pg';
import type { Sources } from '../objects/pod.ts';
import { minuteToStart, onePod } from './outside.ts';

type ClusterSpec = {
  managed: { roles: { name: string; connectionLimit?: number; passwordSecret: { name: string } }[] };
  postgresql: { parameters: Record<string, string>; pg_hba: string[] };
};

/** The address and the superuser's password of the database operator. */
type Operator = { address: string; password: string };

function clusterOf(objects: readonly KubeObject[]): ClusterSpec {
  const [cluster] = ofKind<ClusterSpec>(objects, 'Cluster');
  if (!cluster) throw new Error('The overlay has no Cluster of PostgreSQL');
  return cluster.spec;
}

/** The image's binaries do not support these parameters. */
const WITHOUT = new Set(['wal_compression']);
/** Copies the certificate to a folder that only PostgreSQL can read, as its operator does. */
const INSTALL = 'install -o postgres -m 600 /config/tls.key /config/tls.crt /run/tls/';
export const RELOAD_POSTGRES = ['sh', '-c', `${INSTALL} && kill -HUP 1`];

export const postgresFiles = (objects: readonly KubeObject[], tls: Values, operator: Operator): Values => ({
  ...tls,
  'pg_hba.conf': [
    `host all postgres ${operator.address}/32 scram-sha-256`,
    ...clusterOf(objects).postgresql.pg_hba,
    'host all all all scram-sha-256\n',
  ].join('\n'),
});

export function postgresTemplate(
  objects: readonly KubeObject[],
  image: string,
  { password }: Operator,
): PodSpec {
  const parameters = Object.entries(clusterOf(objects).postgresql.parameters);
  const settings = [
    ...['ssl=on', 'ssl_cert_file=/run/tls/tls.crt', 'ssl_key_file=/run/tls/tls.key'],
    'hba_file=/config/pg_hba.conf',
    ...parameters.filter(([name]) => !WITHOUT.has(name)).map(([name, value]) => `${name}=${value}`),
  ];
  const start = `install -d -o postgres -m 700 /run/tls && ${INSTALL} && exec /usr/local/bin/postgres.sh "$@"`;
  return onePod(
    {
      name: 'postgres',
      image,
      command: ['sh', '-c', start, 'sh'],
      args: settings.flatMap((setting) => ['-c', setting]),
      env: [
        { name: 'POSTGRES_USER', value: 'postgres' },
        { name: 'POSTGRES_PASSWORD', value: password },
        { name: 'POSTGRES_INITDB_ARGS', value: '--encoding=UTF8 --locale=C.UTF-8' },
      ],
      ports: [{ name: 'postgres', containerPort: 5432 }],
      volumeMounts: [{ name: 'data', mountPath: '/var/lib/postgresql' }],
      startupProbe: minuteToStart({
        exec: { command: ['bash', '-c', 'exec 3<>/dev/tcp/127.0.0.1/5432'] },
      }),
    },
    { terminationGracePeriodSeconds: 60 },
  );
}

/** Creates roles with their limits and passwords, and databases with their owners. Can be repeated. */
export async function manageDatabase(
  objects: readonly KubeObject[],
  secret: Sources['secret'],
  { host, password: own, authority: ca }: { host: string; password: string; authority: string },
): Promise<void> {
  const ssl = { ca, checkServerIdentity: () => undefined };
  const client = new Client({ host, user: 'postgres', database: 'postgres', password: own, ssl });
  const isThere = async (table: string, column: string, name: string): Promise<boolean> =>
    (await client.query(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [name])).rowCount !== 0;
  await client.connect();
  try {
    for (const { name, connectionLimit = -1, passwordSecret } of clusterOf(objects).managed.roles) {
      const password = secret(passwordSecret.name)?.['password'];
      if (password === undefined) throw new Error(`The password of ${name} was not found`);
      const verb = (await isThere('pg_roles', 'rolname', name)) ? 'ALTER' : 'CREATE';
      await client.query(
        `${verb} ROLE ${client.escapeIdentifier(name)} LOGIN CONNECTION LIMIT ${connectionLimit} PASSWORD ${client.escapeLiteral(password)}`,
      );
    }
    for (const { spec } of ofKind<{ name: string; owner: string }>(objects, 'Database')) {
      if (await isThere('pg_database', 'datname', spec.name)) continue;
      const [name, owner] = [spec.name, spec.owner].map((one) => client.escapeIdentifier(one));
      await client.query(`CREATE DATABASE ${name} OWNER ${owner}`);
    }
  } finally {
    await client.end();
  }
}
