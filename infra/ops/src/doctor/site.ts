/** The public address: DNS, ports, and the certificate that browsers see. */
import { lookup } from 'node:dns/promises';
import { connect as connectTcp } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { daysUntil, fault, ok, tried, warning, type Check, type Finding } from './finding.ts';

const TIMEOUT_MS = 5_000;
const RENEWED_BEFORE_DAYS = 14;
const PRIVATE = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd])/;

/** Checks the host of `PUBLIC_URL`. @param ports others than 80 and 443, for tests */
export const checkSite =
  (httpPort = 80): Check =>
  async (env) => {
    const url = URL.parse(env['PUBLIC_URL'] ?? '');
    if (!url) return [fault('site', 'PUBLIC_URL is not set', 'Set it to https:// and the host.')];
    const { hostname } = url;
    const port = Number(url.port || 443);
    const dns = await tried(
      'DNS',
      `Add an A or AAAA record for ${hostname} with this machine's public address, and wait until it is known.`,
      () => addresses(hostname),
    );
    if (dns.some(({ state }) => state === 'fault')) return dns;
    const open = `Open port ${port} in the firewall to this machine, and start caddy or the ingress.`;
    return [
      ...dns,
      ...(await tried('TLS', open, () => certificate(hostname, port))),
      ...(await tried('port 80', 'Open it: the authority of the TLS certificate asks there.', async () => {
        await opened(hostname, httpPort);
        return ok('port 80', 'is open');
      })),
    ];
  };

async function addresses(host: string): Promise<Finding> {
  const found = (await lookup(host, { all: true })).map(({ address }) => address);
  const text = `${host} is at ${found.join(', ')}`;
  return found.every((address) => PRIVATE.test(address))
    ? warning('DNS', `${text}, which only this network reaches`, 'Point the record at the public address.')
    : ok('DNS', text);
}

function opened(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, timeout: TIMEOUT_MS });
    socket.once('connect', resolve).once('error', reject);
    socket.once('timeout', () => reject(new Error(`port ${port} does not answer`)));
    socket.once('connect', () => socket.destroy()).once('timeout', () => socket.destroy());
  });
}

async function certificate(host: string, port: number): Promise<Finding> {
  const { peer, refusal } = await new Promise<{ peer: PeerCertificate; refusal: string }>(
    (resolve, reject) => {
      // Not to send anything: an invalid certificate shall be read, too.
      const socket = connect({
        host,
        port,
        servername: host,
        rejectUnauthorized: false,
        timeout: TIMEOUT_MS,
      });
      socket.once('secureConnect', () => {
        const given = socket.authorizationError;
        resolve({ peer: socket.getPeerCertificate(), refusal: given ? String(given) : '' });
        socket.destroy();
      });
      socket.once('error', reject);
      socket.once('timeout', () => socket.destroy(new Error(`port ${port} does not answer`)));
    },
  );
  const end = new Date(peer.valid_to);
  const days = daysUntil(end);
  const day = end.toISOString().slice(0, 10);
  const until = `the certificate of ${host} is valid until ${day}`;
  const renew =
    'Read the log of caddy or cert-manager: the authority did not renew it. Port 80 and DNS are usual causes.';
  if (days < 0) return fault('TLS', `the certificate of ${host} ended on ${day}`, renew);
  const otherName = checkServerIdentity(host, peer);
  if (otherName)
    return fault('TLS', `the certificate is for ${peer.subjectaltname ?? 'no host'}`, `Get one for ${host}.`);
  if (refusal)
    return fault(
      'TLS',
      `browsers refuse the certificate: ${refusal}`,
      'Set KARAAR_TLS to a mail address, so that a public authority issues it.',
    );
  return days < RENEWED_BEFORE_DAYS ? warning('TLS', until, renew) : ok('TLS', until);
}
