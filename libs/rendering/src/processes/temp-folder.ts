import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What Chromium adds to TMPDIR for its socket; the name of LibreOffice's is of the same length or shorter. */
const SOCKET = '/org.chromium.Chromium.XXXXXX/SingletonSocket';
/** The longest path of a socket that every system takes (sun_path, with the zero at its end: 104 on macOS, 108 on Linux). */
const LONGEST_PATH = 103;

/**
 * A folder for the sockets and temporary files of one program: `tmp` in that program's own folder. Programs that are
 * killed leave such things where TMPDIR points, and a path too long for a socket makes Chromium end at its start: then it
 * is a short folder of the system's. The caller removes it, with `dir`, when the program has ended.
 */
export async function temporaryFolder(dir: string): Promise<string> {
  const inside = join(dir, 'tmp');
  if (Buffer.byteLength(inside) + SOCKET.length > LONGEST_PATH) return mkdtemp(join(tmpdir(), 'kr-'));
  await mkdir(inside);
  return inside;
}
