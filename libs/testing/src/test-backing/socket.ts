import { request } from 'node:http';
import { join } from 'node:path';

const answerMs = 3_000;

/**
 * Address of the first Docker or podman socket that answers: the one of `DOCKER_HOST` alone where that is set,
 * else the usual places.
 *
 * @returns as `DOCKER_HOST` is written (`unix:///…` or `tcp://…`); undefined when none answers
 */
export async function containerSocket(
  env: NodeJS.ProcessEnv,
  places = usualPlaces(env),
): Promise<string | undefined> {
  const candidates = env['DOCKER_HOST'] ? [env['DOCKER_HOST']] : places;
  const answers = await Promise.all(candidates.map(answersPing));
  return candidates.find((_, index) => answers[index]);
}

function usualPlaces(env: NodeJS.ProcessEnv): string[] {
  const own = env['XDG_RUNTIME_DIR'];
  return [
    '/var/run/docker.sock',
    ...(own === undefined ? [] : [join(own, 'docker.sock'), join(own, 'podman', 'podman.sock')]),
    '/run/podman/podman.sock',
  ].map((path) => `unix://${path}`);
}

function answersPing(address: string): Promise<boolean> {
  const { protocol, hostname, port, pathname } = new URL(address);
  const where = protocol === 'unix:' ? { socketPath: pathname } : { host: hostname, port };
  return new Promise((resolve) => {
    const asked = request({ ...where, path: '/_ping', timeout: answerMs }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.on('close', () => resolve(false));
    asked.end();
  });
}
