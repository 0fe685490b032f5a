/**
 * `npm run test:containers [-- COMMAND ARGS…]`: runs a command, by default the tests that need servers, with PostgreSQL,
 * NATS and Redis in podman's containers from images made here. Needs no registry. Fails when the command does, and when
 * a container is left.
 */
import { say, SetupError } from '../../bootstrap/report.mjs';
import { startTool, stopAllChildren } from '../processes/child.ts';
import { handleStopSignals } from '../processes/stop-signals.ts';
import { endHost } from '../test-backing/test-backing.ts';
import { imageVariables, type TestImages } from '../test-backing/images.ts';
import { nxEnv } from '../web/web-build.ts';
import { makeLocalImages } from './images.ts';
import { leftContainers, podmanEnv, startPodman } from './podman.ts';

handleStopSignals().onStop(() => endHost('containers'));
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof SetupError ? `\n${error.message}` : error);
  process.exitCode = 1;
}
await endHost('containers');
await stopAllChildren();
process.exit();

async function main(given: string[]): Promise<number> {
  const env = podmanEnv();
  const images = await makeLocalImages(env);
  for (const [name, image] of Object.entries(images)) say(`  ok  ${name}: ${image}`);
  const { socket } = await startPodman(env);
  const [command = '', ...args] = given.length > 0 ? given : testsWithServers();
  const tool = await startTool({
    name: command,
    command,
    args,
    cwd: process.cwd(),
    env: { ...env, ...nxEnv(), PATH: env['PATH'], ...containersEnv(images, socket) },
  });
  const { code } = await tool.exited;
  await endHost('containers');
  const left = await leftContainers(env);
  say(left.length === 0 ? '  ok  no container is left' : `  !!  left: ${left.join(' ')}`);
  return code === 0 && left.length === 0 ? 0 : 1;
}

function containersEnv(images: TestImages, socket: string): NodeJS.ProcessEnv {
  return {
    TEST_BACKING: 'containers',
    DOCKER_HOST: socket,
    // The image of Testcontainers' own cleaner is not here. The host of the servers removes them.
    TESTCONTAINERS_RYUK_DISABLED: 'true',
    [imageVariables.postgres]: images.postgres,
    [imageVariables.nats]: images.nats,
    [imageVariables.redis]: images.redis,
  };
}

/** The tests with servers of every service, the gateway and the libraries that connect to servers, one after the other. */
function testsWithServers(): string[] {
  return [
    'env',
    'KARAAR_LEVEL=int',
    'node',
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--runInBand',
    'services/',
    'gateway/',
    'libs/platform/',
    'libs/testing/',
  ];
}
