/** The socket by which a LibreOffice takes files from others: it starts ahead, and is told of the file later. */
import { createHash } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** What both ends say (`desktop/source/app/officeipcthread.cxx`); each text ends with a zero. */
const READY = 'InternalIPC::SendArguments\0';
const ARGUMENTS = 'InternalIPC::Arguments';

const RETRY_MS = 20;

/**
 * Where the socket may be at which a LibreOffice tells others of its profile that it runs: in /tmp whatever TMPDIR says
 * (`PIPEDEFAULTPATH` in its sal/osl/unx/pipe.cxx), with the account in its name where the system has a name for the
 * account. It stays there when the office is killed.
 *
 * @param profile what `-env:UserInstallation` says, a file URL
 */
export function officePipes(profile: string): [named: string, unnamed: string] {
  // Its own way to print a digest: without leading zeros (`CreateMD5FromString` in its officeipcthread.cxx).
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
    return false; // a root file system that is read-only
  }
}

/**
 * Hands the arguments of a command line to the office behind one of the sockets, as a second `soffice` would; waits until
 * it listens. What it makes of them is told by its output and its end.
 *
 * @param cwd folder to which paths among the arguments relate
 * @throws Error when it cannot be told, or when the signal fires
 */
export async function tellOffice(
  pipes: readonly string[],
  args: readonly string[],
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<void> {
  const text = [`1${escaped(pathToFileURL(cwd).href)}`, ...args.map((arg) => `,${escaped(arg)}`)].join('');
  for (;;) {
    for (const pipe of pipes) if (await tellOnce(pipe, `${ARGUMENTS}${text}\0`, signal)) return;
    await sleep(RETRY_MS, undefined, { signal });
  }
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0').replaceAll(',', '\\,');

/** False while nobody listens. */
function tellOnce(pipe: string, text: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: pipe });
    const onAbort = (): void => void socket.destroy(new Error('Stopped', { cause: signal.reason }));
    signal.addEventListener('abort', onAbort, { once: true });
    let heard = '';
    let told = false;
    socket.setEncoding('utf8').on('data', (piece: string) => {
      heard += piece;
      if (told || !heard.startsWith(READY)) return;
      told = true;
      socket.write(text);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(false);
      else reject(error);
    });
    // It says that it is done, and closes; or it ended, which its process tells.
    socket.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      resolve(told);
    });
  });
}
