import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

/** Takes bytes as they come, in memory that is used again. */
export type OnBytes = (count: number, bytes: Uint8Array) => boolean;

/** Bytes of one read. Each connection has its own: the kernel writes there while the others are at work. */
const READ_BYTES = 16_384;

/**
 * Opens a connection to a service: with TLS for `https:`, by its name or address there and the authorities that the
 * process trusts (`NODE_EXTRA_CA_CERTS` adds one's own). What is written before it is ready waits; with TLS none of it
 * leaves the process until the service has proved who it is.
 *
 * @param onBytes takes what comes, with no stream in between and nothing to collect; a stream without it
 */
export function openConnection(url: URL, onBytes?: OnBytes): Socket {
  const isTls = url.protocol === 'https:';
  // An address of IPv6 stands in brackets in a URL.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  const options: TcpNetConnectOpts = { host, port, noDelay: true };
  if (onBytes !== undefined)
    options.onread = { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback: onBytes };
  if (!isTls) return connect(options);
  // An address is no name that could be asked for. `onread` works for TLS as well, which its types do not say.
  const secure: ConnectionOptions = { ...options, servername: isIP(host) === 0 ? host : '' };
  // `noDelay` among the options is nothing to TLS: small writes would wait for each other's confirmation.
  return connectTls(secure).setNoDelay(true);
}

/** The event by which a connection is ready: with TLS the service has proved who it is by then. */
export const readyEvent = (url: URL): 'connect' | 'secureConnect' =>
  url.protocol === 'https:' ? 'secureConnect' : 'connect';
