/** The way to PostgreSQL: over TLS, to a server whose certificate the process can check. */
import { variablesOf } from './env-rules.ts';
import {
  externalSecrets,
  ofKind,
  perContainer,
  type Container,
  type KubeObject,
  type PodSpec,
} from './objects.ts';

/** The operator keeps the authority of a cluster in a secret of this name, beside its private key. */
const authorityOf = (cluster: string): string => `${cluster}-ca`;
const CERTIFICATE = 'ca.crt';
/** The database as the role that owns the tables; of migrations alone. */
const OWNERS_ADDRESS = 'MIGRATION_DATABASE_URL';

/**
 * `pg` takes `sslmode=require` for `verify-full` with the authorities that Node knows, none of which is the operator's: no
 * connection comes about. Hence the address names the file, and the file has to be there, without the private key.
 */
export function databaseFaults(objects: readonly KubeObject[]): string[] {
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

/**
 * The owner of the tables can change what the service may only add to: its address is for the migration Jobs, and only
 * for them.
 */
export const ownerFaults = (objects: readonly KubeObject[]): string[] =>
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

/** The secrets from which a container has its address. */
function secretsOf({ env = [], envFrom = [] }: Container): string[] {
  const named = env.filter(({ name }) => name === 'DATABASE_URL' || name === OWNERS_ADDRESS);
  const from = named.length > 0 ? [] : envFrom.map(({ secretRef }) => secretRef?.name);
  return [...named.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name), ...from].filter(
    (name) => name !== undefined,
  );
}

function wayFaults(
  address: string,
  container: Container,
  pod: PodSpec,
  objects: readonly KubeObject[],
): string[] {
  // The password stands in as a template, which is not one of an address.
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
