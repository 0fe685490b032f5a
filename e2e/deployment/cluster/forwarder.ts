import { connect, createServer, type Socket } from 'node:net';

export type Endpoint = { ip: string; port: number };
export type Forwarder = Awaited<ReturnType<typeof forward>>;

/**
 * Forwards each connection at the address of a Service to a random ready pod, as kube-proxy does: an open connection
 * stays with its pod, and a refused one is not tried at another pod.
 *
 * @param endpoints returns the ready pods
 */
export async function forward(at: Endpoint, endpoints: () => readonly Endpoint[]) {
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    keep(client);
    const ready = endpoints();
    const chosen = ready[Math.floor(Math.random() * ready.length)];
    if (!chosen) {
      client.resetAndDestroy();
      return;
    }
    const pod = connect({ host: chosen.ip, port: chosen.port, allowHalfOpen: true, noDelay: true });
    keep(pod);
    // The two ends report the fault of a connection.
    client.once('error', () => pod.destroy());
    pod.once('error', () => client.destroy());
    client.pipe(pod);
    pod.pipe(client);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.ip, resolve);
  });
  return {
    async close(): Promise<void> {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
