/** The servers that an installation has outside the manifests: S3, and a TLS proxy in front. */
import type { Container, PodSpec, Probe } from '@karaar/k8s/objects';
import { BESIDE } from '../images.ts';

const BUCKET = 'karaar-files';

export const minuteToStart = (handler: Probe): Probe => ({
  ...handler,
  periodSeconds: 1,
  timeoutSeconds: 3,
  failureThreshold: 60,
});

/** Returns a pod of one container that reads files at /config and can write to /tmp. */
export const onePod = (container: Container, more: Partial<PodSpec> = {}): PodSpec => ({
  terminationGracePeriodSeconds: 10,
  containers: [
    {
      ...container,
      volumeMounts: [
        { name: 'config', mountPath: '/config', readOnly: true },
        { name: 'tmp', mountPath: '/tmp' },
        ...(container.volumeMounts ?? []),
      ],
    },
  ],
  volumes: [
    { name: 'config', configMap: { name: container.name } },
    { name: 'tmp', emptyDir: {} },
  ],
  ...more,
});

/** moto, an S3 server that keeps its objects in memory. */
export const s3Template = onePod(
  {
    name: 's3',
    image: BESIDE,
    command: ['python3', '-m', 'moto.server', '-H', '0.0.0.0', '-p', '9000'],
    ports: [{ name: 'http', containerPort: 9000 }],
    startupProbe: minuteToStart({ httpGet: { path: '/moto-api/', port: 'http' } }),
  },
  { securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000 } },
);

export async function makeBucket(host: string): Promise<void> {
  const response = await fetch(`http://${host}:9000/${BUCKET}`, {
    method: 'PUT',
    body: '<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><LocationConstraint>ap-south-1</LocationConstraint></CreateBucketConfiguration>',
    headers: {
      authorization:
        'AWS4-HMAC-SHA256 Credential=deployment/20260101/ap-south-1/s3/aws4_request, SignedHeaders=host, Signature=0',
    },
  });
  if (!response.ok && response.status !== 409)
    throw new Error(`the bucket answered ${response.status} ${await response.text()}`);
}

/** Caddy with a certificate, in place of the ingress controller. */
export const frontTemplate = onePod({
  name: 'front',
  image: BESIDE,
  command: ['caddy', 'run', '--config', '/config/Caddyfile', '--adapter', 'caddyfile'],
  env: ['XDG_DATA_HOME', 'XDG_CONFIG_HOME'].map((name) => ({ name, value: '/tmp' })),
  ports: [{ name: 'https', containerPort: 443 }],
});

export const caddyfile = (host: string): string => `{
  admin localhost:2019
  auto_https off
}
https://${host} {
  tls /config/tls.crt /config/tls.key
  reverse_proxy gateway:8080
}
`;
