/** Debian's OpenCV for Python, the peer of the benchmark; installed when it can be. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian's own: a Python from elsewhere on PATH does not see Debian's modules. */
const PYTHON = '/usr/bin/python3';
const CASCADES = '/usr/share/opencv4/haarcascades';
const INSTALL = ['install', '-y', '--no-install-recommends', 'python3-opencv', 'opencv-data'];

/**
 * The Python that can load OpenCV, after installing it when this is root on Debian or Ubuntu.
 * @returns nothing when it cannot be installed here; what to do about it is then told
 */
export function findOpencv(): string | undefined {
  if (works()) return PYTHON;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log('Installing python3-opencv …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    try {
      execFileSync('apt-get', ['update', '-q'], { stdio: 'ignore', env });
      execFileSync('apt-get', INSTALL, { stdio: 'ignore', env });
    } catch (error) {
      console.log(`apt-get failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (works()) return PYTHON;
  }
  console.log(`No peer in this run: OpenCV is missing. Install it: sudo apt-get ${INSTALL.join(' ')}`);
  return undefined;
}

function works(): boolean {
  if (!existsSync(PYTHON) || !existsSync(CASCADES)) return false;
  try {
    execFileSync(PYTHON, ['-c', 'import cv2'], { stdio: 'ignore' });
    return true;
  } catch {
    // Python without the module ends with an error: not there, to be installed.
    return false;
  }
}
