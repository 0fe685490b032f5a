import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The suffix that Chromium adds to TMPDIR for its socket; LibreOffice's is not longer. */
const SOCKET = '/org.chromium.Chromium.XXXXXX/SingletonSocket';
/**
 * The longest socket path that every system accepts (sun_path, with its final zero: 104 on macOS, 108 on
 * Linux).
 */
const LONGEST_PATH = 103;

/**
 * Returns a folder for the sockets and temporary files of one program, normally `tmp` in its folder, because
 * killed programs leave files in TMPDIR. Chromium ends at its start if the socket path is too long: then the
 * folder is a short one of the system. The caller removes it, with `dir`, after the program's end.
 */
export async function temporaryFolder(dir: string): Promise<string> {
  const inside = join(dir, 'tmp');
  if (Buffer.byteLength(inside) + SOCKET.length > LONGEST_PATH) return mkdtemp(join(tmpdir(), 'kr-'));
  await mkdir(inside);
  return inside;
}
