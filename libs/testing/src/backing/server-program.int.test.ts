import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from '../scratch.ts';
import { removeContainer, serverCommand, type ServerRequest } from './server-program.ts';

let dir: string;
let remove: () => void;
beforeEach(() => ({ dir, remove } = scratch()));
afterEach(() => remove());

function program(name: string, text = ''): string {
  const file = join(dir, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

const request: ServerRequest = {
  program: 'nats-server',
  args: ['-c', '/state/nats/nats.conf'],
  dir: '/state/nats',
  port: 4711,
};

describe('serverCommand', () => {
  it("prefers the machine's own program, on loopback", () => {
    program('docker');
    const command = program('nats-server');
    expect(serverCommand(request, dir)).toEqual({ command, args: request.args, listenHost: '127.0.0.1' });
  });

  it('runs the program in a container that is reachable on loopback only and mounts only its own folder', () => {
    const command = program('docker');
    const found = serverCommand(request, dir);
    expect(found).toMatchObject({ command, listenHost: '0.0.0.0' });
    expect(found.args.join(' ')).toMatch(
      /^run --rm --init --name karaar-nats-server-[0-9a-f]{12} --user \d+:\d+ --volume \/state\/nats:\/state\/nats --publish 127\.0\.0\.1:4711:4711 nats:\S+ nats-server -c \/state\/nats\/nats\.conf$/,
    );
  });

  it('gives instructions if neither is available', () => {
    expect(() => serverCommand(request, dir)).toThrow('neither nats-server nor docker');
  });
});

describe('removeContainer', () => {
  it('removes the container of a killed client, and does nothing without a container', async () => {
    const log = join(dir, 'log');
    program('docker', `echo "$@" >> ${log}; [ "$1" = ps ] && cat ${dir}/running; true`);
    writeFileSync(join(dir, 'running'), '');
    await removeContainer(request, dir);
    writeFileSync(join(dir, 'running'), '0123abcd\n');
    await removeContainer(request, dir);
    const calls = readFileSync(log, 'utf8').trim().split('\n');
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['ps', 'ps', 'rm']);
    expect(calls[2]).toMatch(/^rm --force karaar-nats-server-[0-9a-f]{12}$/);
  });
});
