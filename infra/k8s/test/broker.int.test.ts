/** NATS accepts the configuration of the manifests with any password. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BROKER_USERS } from '@karaar/contracts/broker/rights';
import { ofKind } from '../src/objects.ts';
import { k8sFolder, render } from '../src/render.ts';

const run = promisify(execFile);

let template: Record<string, string>;
beforeAll(async () => {
  const objects = await render(join(k8sFolder, 'overlays', 'production'));
  const secret = ofKind<{ target: { template: { data: Record<string, string> } } }>(
    objects,
    'ExternalSecret',
  ).find(({ metadata }) => metadata.name === 'nats');
  template = secret?.spec.target.template.data ?? {};
});

// Hexadecimal passwords can look like numbers; NATS does not start if it parses one as a number.
it.each(['a1b2c3', '12e4567', '1234567890', '1e9', '007f', '0x7f', '1k'])('password %s', async (password) => {
  const env: Record<string, string> = { PATH: process.env['PATH'] ?? '', POD_NAME: 'nats-0' };
  for (const [name, value] of Object.entries(template)) env[name] = value.replace(/\{\{.*\}\}/, password);
  expect(Object.keys(env)).toHaveLength(2 + BROKER_USERS.length);
  const folder = await mkdtemp(join(tmpdir(), 'karaar-nats-'));
  try {
    const config = join(k8sFolder, 'components', 'state', 'nats.conf');
    const { stderr } = await run('nats-server', ['-t', '--config', config], { cwd: folder, env });
    expect(stderr).toContain('configuration file');
  } finally {
    await rm(folder, { recursive: true });
  }
});
