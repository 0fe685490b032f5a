import { createHash } from 'node:crypto';
import { accessSync, constants } from 'node:fs';

/**
 * The socket at which a LibreOffice tells others of its profile that it runs. It stands in /tmp whatever TMPDIR says
 * (`PIPEDEFAULTPATH` in its sal/osl/unx/pipe.cxx), and stays there when the office is killed.
 *
 * @param profile what `-env:UserInstallation` says, a file URL
 */
export function officePipe(profile: string): string {
  // Its own way to print a digest: without leading zeros (`CreateMD5FromString` in its officeipcthread.cxx).
  const name = [...createHash('md5').update(Buffer.from(profile, 'utf16le')).digest()]
    .map((byte) => byte.toString(16))
    .join('');
  return `${isWritable('/tmp') ? '/tmp' : '/var/tmp'}/OSL_PIPE_${process.getuid?.() ?? 0}_SingleOfficeIPC_${name}`;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false; // a root file system that is read-only
  }
}
