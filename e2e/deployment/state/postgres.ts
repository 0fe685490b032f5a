/** The `Cluster` of CloudNativePG as one PostgreSQL: its parameters, pg_hba, roles, limits and databases, with TLS. */
import { ofKind, type KubeObject } from '@karaar/k8s/objects';
import { Client } from 'pg';
import type { Sources, TemplateSpec } from '../objects/pod.ts';
import type { KeyPair } from './certificates.ts';

type ClusterSpec = {
  managed: { roles: { name: string; connectionLimit?: number; passwordSecret: { name: string } }[] };
  postgresql: { parameters: Record<string, string>; pg_hba: string[] };
};

export type Wanted = { spec: ClusterSpec; databases: { name: string; owner: string }[] };

/** What the overlay wants of the database. */
export function wantedDatabase(objects: readonly KubeObject[]): Wanted {
  const [cluster] = ofKind<ClusterSpec>(objects, 'Cluster');
  if (!cluster) throw new Error('The overlay has no Cluster of PostgreSQL');
  const databases = ofKind<{ name: string; owner: string }>(objects, 'Database').map(({ spec }) => spec);
  return { spec: cluster.spec, databases };
}

/** Which the image does not take, since it is made of binaries without it. */
const WITHOUT = new Set(['wal_compression']);

/**
 * The pod's template, and the files that it reads as a volume named `config`.
 *
 * @param operator the address from which the rehearsal does what the operator would
 */
export function postgresPod(
  { spec }: Wanted,
  image: string,
  tls: KeyPair,
  operator: { address: string; password: string },
): { template: TemplateSpec; files: Record<string, string> } {
  const parameters = Object.entries(spec.postgresql.parameters).filter(([name]) => !WITHOUT.has(name));
  const hba = [
    `host all postgres ${operator.address}/32 scram-sha-256`,
    ...spec.postgresql.pg_hba,
    'host all all all scram-sha-256',
  ];
  const script = [
    'install -d -o postgres -m 700 /run/tls',
    'install -o postgres -m 600 /config/tls.key /config/tls.crt /run/tls/',
    'exec /usr/local/bin/postgres.sh "$@"',
  ].join(' && ');
  const settings = [
    ...['ssl=on', 'ssl_cert_file=/run/tls/tls.crt', 'ssl_key_file=/run/tls/tls.key'],
    ...['hba_file=/config/pg_hba.conf', ...parameters.map(([name, value]) => `${name}=${value}`)],
  ];
  return {
    files: { 'tls.key': tls.key, 'tls.crt': tls.certificate, 'pg_hba.conf': `${hba.join('\n')}\n` },
    template: {
      terminationGracePeriodSeconds: 60,
      containers: [
        {
          name: 'postgres',
          image,
          command: ['sh', '-c', script, 'sh'],
          args: settings.flatMap((setting) => ['-c', setting]),
          env: [
            { name: 'POSTGRES_USER', value: 'postgres' },
            { name: 'POSTGRES_PASSWORD', value: operator.password },
            { name: 'POSTGRES_INITDB_ARGS', value: '--encoding=UTF8 --locale=C.UTF-8' },
          ],
          ports: [{ name: 'postgres', containerPort: 5432 }],
          volumeMounts: [
            { name: 'config', mountPath: '/config', readOnly: true },
            { name: 'data', mountPath: '/var/lib/postgresql' },
          ],
          startupProbe: {
            exec: { command: ['bash', '-c', 'exec 3<>/dev/tcp/127.0.0.1/5432'] },
            periodSeconds: 1,
            timeoutSeconds: 3,
            failureThreshold: 60,
          },
        },
      ],
      volumes: [{ name: 'config', configMap: { name: 'postgres-rehearsal' } }],
    },
  };
}

/** What the operator does: roles with their limits and passwords, and databases with their owners. Can be repeated. */
export async function manageDatabase(
  wanted: Wanted,
  secret: Sources['secret'],
  operator: { host: string; password: string; authority: string },
): Promise<void> {
  const client = new Client({
    host: operator.host,
    user: 'postgres',
    database: 'postgres',
    password: operator.password,
    ssl: { ca: operator.authority, checkServerIdentity: () => undefined },
  });
  await client.connect();
  try {
    for (const { name, connectionLimit = -1, passwordSecret } of wanted.spec.managed.roles) {
      const password = secret(passwordSecret.name)?.['password'];
      if (password === undefined) throw new Error(`There is no password for ${name}`);
      const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
      const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
      const role = client.escapeIdentifier(name);
      const quoted = client.escapeLiteral(password);
      await client.query(`${verb} ROLE ${role} LOGIN CONNECTION LIMIT ${connectionLimit} PASSWORD ${quoted}`);
    }
    for (const { name, owner } of wanted.databases) {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      if (rowCount === 0)
        await client.query(
          `CREATE DATABASE ${client.escapeIdentifier(name)} OWNER ${client.escapeIdentifier(owner)}`,
        );
    }
  } finally {
    await client.end();
  }
}
