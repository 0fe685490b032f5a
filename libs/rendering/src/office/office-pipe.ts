/** The socket by which a running LibreOffice takes files, so that it can start before a file arrives. */
import { createHash } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** The messages of both ends (`desktop/source/app/officeipcthread.cxx`); each ends with a zero. */
const READY = 'InternalIPC::SendArguments\0';
const ARGUMENTS = 'InternalIPC::Arguments';

const RETRY_MS = 20;

/**
 * Returns the possible paths of the LibreOffice socket: in /tmp despite TMPDIR (`PIPEDEFAULTPATH` in
 * sal/osl/unx/pipe.cxx), with the name of the account if the system has one. A killed office leaves the
 * socket behind.
 * @param profile the value of `-env:UserInstallation`, a file URL
 */
export function officePipes(profile: string): [named: string, unnamed: string] {
  // LibreOffice prints a digest without leading zeros (`CreateMD5FromString` in its officeipcthread.cxx).
  const name = [...createHash('md5').update(Buffer.from(profile, 'utf16le')).digest()]
    .map((byte) => byte.toString(16))
    .join('');
  const begin = `${isWritable('/tmp') ? '/tmp' : '/var/tmp'}/OSL_PIPE_`;
  return [`${begin}${process.getuid?.() ?? 0}_SingleOfficeIPC_${name}`, `${begin}SingleOfficeIPC_${name}`];
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false; // a read-only root file system
  }
}

/**
 * Sends the arguments of a command line to a running office, as a second `soffice` would; waits until it
 * listens. Its output and its exit show the result.
 * @param cwd the folder of relative paths among the arguments
 * @throws Error if sending fails or the signal fires
 */
export async function sendToOffice(
  pipes: readonly string[],
  args: readonly string[],
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<void> {
  const text = [`1${escaped(pathToFileURL(cwd).href)}`, ...args.map((arg) => `,${escaped(arg)}`)].join('');
  for (;;) {
    for (const pipe of pipes) if (await trySend(pipe, `${ARGUMENTS}${text}\0`, signal)) return;
    await sleep(RETRY_MS, undefined, { signal });
  }
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0').replaceAll(',', '\\,');

/** Resolves to false if no process listens. */
function trySend(pipe: string, text: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: pipe });
    const onAbort = (): void => void socket.destroy(new Error('Stopped', { cause: signal.reason }));
    signal.addEventListener('abort', onAbort, { once: true });
    let heard = '';
    let isSent = false;
    socket.setEncoding('utf8').on('data', (piece: string) => {
      heard += piece;
      if (isSent || !heard.startsWith(READY)) return;
      isSent = true;
      socket.write(text);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(false);
      else reject(error);
    });
    // The office confirms and closes the connection, or it ended, which its process reports.
    socket.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      resolve(isSent);
    });
  });
}
