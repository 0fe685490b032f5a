import { execFile } from 'node:child_process';
import { connect, createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { freePort, freePorts, portIsFree, type PortRange } from './ports.ts';

const run = promisify(execFile);

/** Ports chosen by another process, which was killed and could not remove its claims. */
async function chosenElsewhere(count: number, range?: PortRange): Promise<number[]> {
  const code = `import { writeSync } from 'node:fs';
    import { freePorts } from ${JSON.stringify(new URL('ports.ts', import.meta.url).href)};
    writeSync(1, JSON.stringify(await freePorts(${count}, ${JSON.stringify(range)})));
    process.kill(process.pid, 'SIGKILL');`;
  const killed = await run(process.execPath, ['--input-type=module', '--eval', code]).catch(
    (error: unknown) => error as { stdout: string },
  );
  return JSON.parse(killed.stdout) as number[];
}

it('chooses no port twice, even before a program listens on it', async () => {
  // Of 17,000 ports. Without claims the second choice would collide about twenty times.
  const ports = await freePorts(600);
  const others = await chosenElsewhere(600);
  expect(new Set([...ports, ...others]).size).toBe(1_200);
});

it('chooses a port again after the process that claimed it has ended', async () => {
  // More than a third of the range each time: the third call would find too few if claims outlived their
  // processes.
  const range = { first: 14_000, last: 14_300 };
  for (let round = 0; round < 3; round += 1) expect(await chosenElsewhere(110, range)).toHaveLength(110);
});

it('does not choose a port that another process listens on', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(portIsFree(port)).resolves.toBe(false);
  await new Promise((resolve) => server.close(resolve));
  await expect(portIsFree(port)).resolves.toBe(true);
});

it('chooses ports below those of outgoing connections', async () => {
  const server = createServer().listen(await freePort(), '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  expect(socket.localPort).toBeGreaterThan((server.address() as AddressInfo).port);
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
