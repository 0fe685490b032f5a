/** A Service: one address, whose connections go to one of the pods that are ready. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export type Endpoint = { ip: string; port: number };

export type Forwarder = { close: () => Promise<void> };

/**
 * Listens at an address and passes each connection on to an endpoint picked by chance, as kube-proxy does: what is open
 * stays with its pod, and nobody tries another one when a pod refuses.
 *
 * @param endpoints those that are ready at this moment
 */
export async function forward(at: Endpoint, endpoints: () => readonly Endpoint[]): Promise<Forwarder> {
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    keep(client);
    const ready = endpoints();
    const chosen = ready[Math.floor(Math.random() * ready.length)];
    if (!chosen) {
      client.resetAndDestroy();
      return;
    }
    const pod = connect({ host: chosen.ip, port: chosen.port, allowHalfOpen: true, noDelay: true });
    keep(pod);
    // One side's fault ends the other; that it happened is for the two ends to tell.
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
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
