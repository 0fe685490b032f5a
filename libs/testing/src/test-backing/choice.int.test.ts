import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { scratch } from '../scratch.ts';
import { chooseTestBacking, serversAreInstalled } from './choice.ts';
import { pinnedImages, testImages } from './images.ts';
import { containerSocket } from './socket.ts';

let dir: string;
let remove: () => void;
const servers: Server[] = [];
beforeEach(() => ({ dir, remove } = scratch()));
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  remove();
});

/** A Unix socket that answers Docker's `/_ping` with this status. */
async function socketThatAnswers(name: string, status: number): Promise<string> {
  const path = join(dir, name);
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/_ping' ? status : 404;
    response.end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return `unix://${path}`;
}

/** A folder with programs of these names. */
function pathWith(...names: string[]): string {
  const folder = join(dir, `bin-${names.length}`);
  mkdirSync(folder);
  for (const name of names) {
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

describe('containerSocket', () => {
  it('is the first place that answers', async () => {
    const ill = await socketThatAnswers('ill.sock', 500);
    const one = await socketThatAnswers('one.sock', 200);
    const two = await socketThatAnswers('two.sock', 200);
    const absent = `unix://${join(dir, 'absent.sock')}`;
    expect(await containerSocket({}, [absent, ill, one, two])).toBe(one);
    expect(await containerSocket({}, [absent, ill])).toBeUndefined();
  });

  it('is the one of DOCKER_HOST and no other where that is set', async () => {
    const usual = await socketThatAnswers('usual.sock', 200);
    const own = await socketThatAnswers('own.sock', 200);
    expect(await containerSocket({ DOCKER_HOST: own }, [usual])).toBe(own);
    expect(await containerSocket({ DOCKER_HOST: `unix://${join(dir, 'absent.sock')}` }, [usual])).toBe(
      undefined,
    );
  });

  it('may be a TCP port', async () => {
    const server = createServer((_, response) => response.end('OK'));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    expect(await containerSocket({ DOCKER_HOST: `tcp://127.0.0.1:${port}` })).toBe(`tcp://127.0.0.1:${port}`);
  });
});

describe('chooseTestBacking', () => {
  const socket = async () => 'unix:///somewhere';
  const none = async () => undefined;
  const there = () => true;
  const missing = () => false;

  it('takes the embedded servers where they are installed, without looking for containers', async () => {
    const surroundings = { installed: there, socket: () => Promise.reject(new Error('looked')) };
    expect(await chooseTestBacking({}, surroundings)).toEqual({ kind: 'embedded' });
  });

  it('takes containers by itself where a server is missing and a socket answers', async () => {
    expect(await chooseTestBacking({}, { installed: missing, socket })).toEqual({
      kind: 'containers',
      socket: 'unix:///somewhere',
    });
    // Then the embedded ones are tried, whose error names the program that is missing.
    expect(await chooseTestBacking({}, { installed: missing, socket: none })).toEqual({ kind: 'embedded' });
  });

  it('does what TEST_BACKING says', async () => {
    expect(await chooseTestBacking({ TEST_BACKING: 'containers' }, { installed: there, socket })).toEqual({
      kind: 'containers',
      socket: 'unix:///somewhere',
    });
    expect(await chooseTestBacking({ TEST_BACKING: 'embedded' }, { installed: missing, socket })).toEqual({
      kind: 'embedded',
    });
  });

  it('says what is wrong when containers are asked for and nothing answers', async () => {
    const env = { TEST_BACKING: 'containers', DOCKER_HOST: `unix://${join(dir, 'absent.sock')}` };
    await expect(chooseTestBacking(env)).rejects.toThrow(
      `TEST_BACKING=containers: no Docker or podman socket answers at ${env.DOCKER_HOST}. Start Docker, or podman by: npm run test:containers -- COMMAND`,
    );
  });

  it('refuses another word', async () => {
    await expect(chooseTestBacking({ TEST_BACKING: 'docker' })).rejects.toThrow(
      'TEST_BACKING is "docker"; it can be embedded or containers',
    );
  });
});

describe('serversAreInstalled', () => {
  it('needs nats-server and redis-server on the path', () => {
    expect(serversAreInstalled(pathWith('nats-server', 'redis-server'))).toBe(true);
    expect(serversAreInstalled(pathWith('redis-server'))).toBe(false);
  });
});

describe('testImages', () => {
  it('are those of compose.yaml, by exact version', () => {
    const compose = readFileSync(new URL('../../../docker/compose.yaml', import.meta.url), 'utf8');
    expect(testImages({})).toEqual(pinnedImages);
    for (const image of Object.values(pinnedImages)) {
      expect(image).toMatch(/:\d+\.\d+/);
      expect(compose).toContain(`image: ${image}\n`);
    }
  });

  it('give way to those of the environment, one by one', () => {
    const env = { TEST_NATS_IMAGE: 'localhost/nats:1', TEST_REDIS_IMAGE: '' };
    expect(testImages(env)).toEqual({ ...pinnedImages, nats: 'localhost/nats:1' });
  });
});
