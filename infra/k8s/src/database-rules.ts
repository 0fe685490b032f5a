/** Connections to PostgreSQL use TLS and verify the server's certificate. */
import { variablesOf } from './env-rules.ts';
import {
  externalSecrets,
  ofKind,
  perContainer,
  type Container,
  type Objects,
  type PodSpec,
} from './objects.ts';

/** The PostgreSQL operator keeps a cluster's CA in this secret, together with its private key. */
const authorityOf = (cluster: string): string => `${cluster}-ca`;
const CERTIFICATE = 'ca.crt';
/** The database's URL with the role that owns the tables, for migrations only. */
const OWNERS_ADDRESS = 'MIGRATION_DATABASE_URL';

/**
 * `pg` treats `sslmode=require` as `verify-full` with Node's own authorities, which do not include the
 * operator's. So the URL must name the CA's file, and the pod must mount that file without the private key.
 */
export function databaseFaults(objects: Objects): string[] {
  const addresses = new Map(
    externalSecrets(objects).map(({ name, template }) => [
      name,
      template?.['DATABASE_URL'] ?? template?.[OWNERS_ADDRESS],
    ]),
  );
  return perContainer(objects, (container, { pod }) =>
    secretsOf(container)
      .flatMap((secret) => addresses.get(secret) ?? [])
      .flatMap((address) => wayFaults(address, container, pod, objects)),
  );
}

/** The owner of the tables can change append-only rows, so only migration Jobs get its URL. */
export const ownerFaults = (objects: Objects): string[] =>
  perContainer(objects, (container, { kind }) => {
    const { args, env = [], envFrom = [] } = container;
    const variables = variablesOf(container, objects);
    const isOwner = variables.has(OWNERS_ADDRESS);
    if (kind === 'Job' && args?.[0] === 'migrate.js')
      return isOwner && !variables.has('DATABASE_URL') ? [] : ['does not migrate as the owner of the tables'];
    const secrets = [
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
      ...envFrom.map(({ secretRef }) => secretRef?.name),
    ];
    const has = isOwner || secrets.some((secret) => secret?.endsWith('-owner'));
    return has ? ['has the address of the owner of the tables'] : [];
  });

/** Returns the secrets that contain the container's database URL. */
function secretsOf({ env = [], envFrom = [] }: Container): string[] {
  const named = env.filter(({ name }) => name === 'DATABASE_URL' || name === OWNERS_ADDRESS);
  const from = named.length > 0 ? [] : envFrom.map(({ secretRef }) => secretRef?.name);
  return [...named.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name), ...from].filter(
    (name) => name !== undefined,
  );
}

function wayFaults(address: string, container: Container, pod: PodSpec, objects: Objects): string[] {
  // The password is a template, so the text is not a valid URL.
  const options = new URLSearchParams(address.split('?')[1]);
  const file = options.get('sslrootcert');
  if (options.get('sslmode') !== 'verify-full' || file === null)
    return ['does not check the certificate of PostgreSQL'];
  const clusters = ofKind(objects, 'Cluster').map(({ metadata }) => authorityOf(metadata.name));
  const mounts =
    container.volumeMounts?.filter(({ mountPath }) => `${mountPath}/${CERTIFICATE}` === file) ?? [];
  const volume = pod.volumes?.find(({ name }) => mounts.some((mount) => mount.name === name));
  if (!volume?.secret || !clusters.includes(volume.secret.secretName))
    return [`${file} is not the certificate of the cluster's authority`];
  const keys = volume.secret.items?.map(({ key }) => key);
  return keys?.length === 1 && keys[0] === CERTIFICATE
    ? []
    : ["has more of the cluster's authority than its certificate"];
}
