import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram, run } from '../../../libs/testing/src/machine/run.mjs';
import { SetupError, step } from '../../../libs/testing/src/machine/report.mjs';

/** These packages would download from servers other than the npm registry. */
const quietInstall = { ONNXRUNTIME_NODE_INSTALL: 'skip', PUPPETEER_SKIP_DOWNLOAD: '1', NX_DAEMON: 'false' };

/** Returns the reason to install. npm records only the root's packages; others are read from the disk. */
export function installReason(wanted, installed, versionOnDisk) {
  if (installed === undefined) return 'no packages are installed yet';
  for (const [path, entry] of Object.entries(wanted.packages)) {
    if (!path.includes('node_modules/')) continue;
    const name = path.split('node_modules/').at(-1);
    if (!path.startsWith('node_modules/')) {
      if (!entry.optional && versionOnDisk(path) !== entry.version) return `${name} is new`;
      continue;
    }
    const there = installed.packages[path];
    if (there === undefined && entry.optional) continue;
    if (there === undefined) return `${name} is new`;
    if (there.version !== entry.version || there.integrity !== entry.integrity) return `${name} has changed`;
  }
  return undefined;
}

/** Runs `npm ci` if node_modules differs from package-lock.json. */
export async function installPackages(root, log) {
  const wanted = readJson(join(root, 'package-lock.json'));
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'));
  const versionOnDisk = (path) => readJson(join(root, path, 'package.json'))?.version;
  const reason = installReason(wanted, installed, versionOnDisk);
  if (reason !== undefined)
    await step(`Installing npm packages (${reason})`, () =>
      npm(root, ['ci', '--no-audit', '--no-fund'], log),
    );
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Returns Node 24 in node_modules; downloads it if npm does not run install scripts (`--ignore-scripts`). */
export async function ensureNode(root, log) {
  const home = join(root, 'node_modules', 'node');
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const program = join(home, 'bin', 'node');
  if (!(await isVersion(program, version))) {
    await step(`Downloading Node ${version}, which npm has not installed`, () =>
      bringNode(root, program, version, log),
    );
  }
  if (!(await isVersion(program, version)))
    throw new SetupError(`${program} is not Node ${version}: remove node_modules and start again`);
  const link = join(root, 'node_modules', '.bin', 'node');
  if (!existsSync(link)) {
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(join('..', 'node', 'bin', 'node'), link);
  }
  return program;
}

async function isVersion(program, version) {
  if (!existsSync(program)) return false;
  try {
    return (await run(program, ['--version'])).trim() === `v${version}`;
  } catch {
    return false; // truncated, or for another platform: it is downloaded again
  }
}

async function bringNode(root, program, version, log) {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${process.platform}-${process.arch}`;
  const aside = join(root, '.karaar', 'node');
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  await npm(root, ['install', '--prefix', aside, ...flags, `${name}@${version}`], log);
  const brought = join(aside, 'node_modules', name, 'bin', 'node');
  mkdirSync(dirname(program), { recursive: true });
  rmSync(program, { force: true });
  cpSync(brought, program);
  chmodSync(program, 0o755);
  rmSync(aside, { recursive: true, force: true });
}

/** Runs the host's npm on the host's Node: the Node in node_modules may be replaced meanwhile. */
async function npm(root, args, log) {
  const env = { ...process.env, ...quietInstall };
  const path = process.env.PATH ?? '';
  const node = findProgram(['node'], path, join(root, 'node_modules')) ?? process.execPath;
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('npm-cli.js') && existsSync(cli))
    return run(node, [cli, ...args], { cwd: root, env, log });
  const found = findProgram(['npm'], path, join(root, 'node_modules'));
  if (found === undefined)
    throw new SetupError('npm is not on the PATH: install Node 20 or newer with npm from https://nodejs.org');
  return run(found, args, { cwd: root, env, log });
}
