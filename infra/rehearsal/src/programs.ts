import { join } from 'node:path';
import { installDebian } from '@karaar/testing/machine/programs';
import { findProgram, searchPath } from '@karaar/testing/machine/run';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';

/** Programs that a rehearsal needs, and Debian's packages of them. */
const NEEDED: Readonly<Record<string, string>> = {
  buildah: 'buildah',
  catatonit: 'catatonit',
  ip: 'iproute2',
  iptables: 'iptables',
  mmdebstrap: 'mmdebstrap',
  openssl: 'openssl',
  podman: 'podman',
  runc: 'runc',
};

/** Installs what is missing. @throws SetupError when that fails, as without root */
export async function installPrograms(say: (line: string) => void): Promise<void> {
  const path = searchPath(cloneRoot);
  const missing = Object.entries(NEEDED)
    .filter(([program]) => findProgram([program], path) === undefined)
    .map(([, name]) => name);
  if (missing.length === 0) return;
  // Not programs on the PATH: the network of containers.
  const packages = [...missing, 'netavark', 'aardvark-dns'];
  say(`installing ${packages.join(', ')}`);
  await installDebian(packages, join(stateRoot, 'logs', 'apt.log'));
}
