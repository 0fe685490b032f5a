/** What an installation has beside the manifests: an S3 server, and a TLS proxy in front. */
import { BESIDE } from '../images/build.ts';
import type { TemplateSpec } from '../objects/pod.ts';

export const BUCKET = 'karaar-files';

/** moto, an S3 server that keeps what it has in memory. */
export const s3Template: TemplateSpec = {
  terminationGracePeriodSeconds: 5,
  securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000 },
  containers: [
    {
      name: 's3',
      image: BESIDE,
      command: ['python3', '-m', 'moto.server', '-H', '0.0.0.0', '-p', '9000'],
      ports: [{ name: 'http', containerPort: 9000 }],
      volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
      startupProbe: {
        httpGet: { path: '/moto-api/', port: 'http' },
        periodSeconds: 1,
        timeoutSeconds: 3,
        failureThreshold: 60,
      },
    },
  ],
  volumes: [{ name: 'tmp', emptyDir: {} }],
};

/** Makes the bucket. @param host address of the S3 server */
export async function makeBucket(host: string): Promise<void> {
  const response = await fetch(`http://${host}:9000/${BUCKET}`, {
    method: 'PUT',
    body: '<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><LocationConstraint>ap-south-1</LocationConstraint></CreateBucketConfiguration>',
    headers: {
      authorization:
        'AWS4-HMAC-SHA256 Credential=rehearsal/20260101/ap-south-1/s3/aws4_request, SignedHeaders=host, Signature=0',
    },
  });
  if (!response.ok && response.status !== 409)
    throw new Error(`the bucket answered ${response.status} ${await response.text()}`);
}

/** Caddy with a certificate, for the ingress controller that the Ingress asks for. */
export function frontTemplate(host: string, gateway: string): { template: TemplateSpec; caddyfile: string } {
  return {
    caddyfile: `{
  admin localhost:2019
  auto_https off
}
https://${host} {
  tls /config/tls.crt /config/tls.key
  reverse_proxy ${gateway}
}
`,
    template: {
      terminationGracePeriodSeconds: 10,
      containers: [
        {
          name: 'front',
          image: BESIDE,
          command: ['caddy', 'run', '--config', '/config/Caddyfile', '--adapter', 'caddyfile'],
          env: [
            { name: 'XDG_DATA_HOME', value: '/tmp' },
            { name: 'XDG_CONFIG_HOME', value: '/tmp' },
          ],
          ports: [{ name: 'https', containerPort: 443 }],
          volumeMounts: [
            { name: 'config', mountPath: '/config', readOnly: true },
            { name: 'tmp', mountPath: '/tmp' },
          ],
        },
      ],
      volumes: [
        { name: 'config', configMap: { name: 'front-rehearsal' } },
        { name: 'tmp', emptyDir: {} },
      ],
    },
  };
}
