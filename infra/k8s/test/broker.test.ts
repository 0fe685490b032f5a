/** The broker takes the configuration that the manifests give it, whatever letters its password has. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workloads } from '../src/objects.ts';
import { k8sFolder, render } from '../src/render.ts';

const run = promisify(execFile);

let environment: { name: string; value?: string; valueFrom?: { secretKeyRef?: unknown } }[];
beforeAll(async () => {
  const objects = await render(join(k8sFolder, 'overlays', 'production'));
  const broker = workloads(objects).find(({ name }) => name === 'nats');
  environment = broker?.pod.containers[0]?.env ?? [];
});

// Hexadecimal passwords often look like numbers, and a broker that takes one for a number does not start.
it.each(['a1b2c3', '12e4567', '1234567890', '1e9', '007f', '0x7f', '1k'])('password %s', async (password) => {
  // As the kubelet puts variables into those after them.
  const env: Record<string, string> = { PATH: process.env['PATH'] ?? '', POD_NAME: 'nats-0' };
  for (const { name, value, valueFrom } of environment)
    if (valueFrom?.secretKeyRef) env[name] = password;
    else if (value !== undefined)
      env[name] = value.replaceAll(/\$\((\w+)\)/g, (_all, other: string) => env[other] ?? '');
  const folder = await mkdtemp(join(tmpdir(), 'karaar-nats-'));
  try {
    const config = join(k8sFolder, 'components', 'state', 'nats.conf');
    const { stderr } = await run('nats-server', ['-t', '--config', config], { cwd: folder, env });
    expect(stderr).toContain('configuration file');
  } finally {
    await rm(folder, { recursive: true });
  }
});
