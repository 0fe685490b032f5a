import { existsSync, readFileSync } from 'node:fs';
import { findProgram, run } from './run.mjs';
import { SetupError } from './report.mjs';

/**
 * Programs that do not come from npm. `override` names an environment variable that replaces the program (a
 * path, or the URL of a running server); `docker` marks those that a container can replace; `ubuntu` says what
 * to do on Ubuntu if its package does not serve.
 */
const programs = [
  {
    name: 'NATS',
    names: ['nats-server'],
    debian: 'nats-server',
    brew: 'nats-server',
    override: 'NATS_URL',
    docker: true,
  },
  {
    name: 'Redis',
    names: ['redis-server'],
    debian: 'redis-server',
    brew: 'redis',
    override: 'REDIS_URL',
    docker: true,
  },
  {
    name: 'Chromium',
    names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
    places: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    debian: 'chromium',
    ubuntu: 'install Google Chrome from https://www.google.com/chrome/ (for Chromium), or set CHROMIUM_PATH',
    brew: '--cask chromium',
    override: 'CHROMIUM_PATH',
  },
  {
    // Prints with about 30 % less processor time than Chromium, which does it where this cannot be installed.
    name: 'Chromium headless shell',
    // Debian's command on the PATH is a script, whose program outlives its kill.
    names: ['../lib/chromium/chromium-headless-shell', 'chrome-headless-shell'],
    debian: 'chromium-headless-shell',
    ubuntu: 'none',
    optional: true,
  },
  {
    name: 'LibreOffice',
    names: ['soffice', 'libreoffice'],
    places: ['/Applications/LibreOffice.app/Contents/MacOS/soffice'],
    debian: 'libreoffice-writer-nogui',
    brew: '--cask libreoffice',
    override: 'SOFFICE_PATH',
  },
  {
    // A second renderer for uploaded pages; tests use its other programs too. Its data package has the
    // encodings of Chinese, Japanese and Korean fonts.
    name: 'Poppler',
    names: ['pdftoppm'],
    debian: 'poppler-utils poppler-data',
    brew: 'poppler',
    override: 'PDFTOPPM_PATH',
  },
  { name: 'qpdf', names: ['qpdf'], debian: 'qpdf', brew: 'qpdf', override: 'QPDF_PATH' },
  {
    // 1.24 or newer, for kustomize's components: Debian 12 packages an older one, Debian 13 a suitable one.
    name: 'kubectl',
    names: ['kubectl', 'kustomize'],
    debian: 'kubernetes-client',
    brew: 'kubernetes-cli',
    ubuntu: 'install kubectl: https://kubernetes.io/docs/tasks/tools/',
    forTests: true,
  },
  { name: 'OpenSSL', names: ['openssl'], debian: 'openssl', brew: 'openssl', forTests: true },
  // A software token for the seal's key, and its command-line program.
  { name: 'SoftHSM', names: ['softhsm2-util'], debian: 'softhsm2', brew: 'softhsm', forTests: true },
  { name: 'OpenSC', names: ['pkcs11-tool'], debian: 'opensc', brew: 'opensc', forTests: true },
  {
    name: 'Firefox',
    names: ['firefox-esr', 'firefox'],
    debian: 'firefox-esr',
    ubuntu: 'install Firefox, not as a snap: https://support.mozilla.org/kb/install-firefox-linux',
    brew: '--cask firefox',
    forAllTests: true,
  },
  {
    name: 'WebKitGTK',
    names: ['WebKitWebDriver'],
    debian: 'webkit2gtk-driver',
    brew: 'webkitgtk',
    forAllTests: true,
  },
  // Its promtool evaluates the alert rules.
  { name: 'Prometheus', names: ['promtool'], debian: 'prometheus', brew: 'prometheus', forAllTests: true },
  { name: 'Xvfb', names: ['xvfb-run'], debian: 'xvfb', brew: '--cask xquartz', forAllTests: true },
];

/** Returns the path of Chromium, from CHROMIUM_PATH or the usual places. */
export function chromiumPath(env, path) {
  return programPath('Chromium', env, path);
}

/** Returns the path of the program that prints pages: CHROMIUM_PATH, the headless shell, or Chromium. */
export function printerPath(env, path) {
  return env.CHROMIUM_PATH || programPath('Chromium headless shell', env, path) || chromiumPath(env, path);
}

/** Returns the path of LibreOffice, from SOFFICE_PATH or the usual places. */
export function sofficePath(env, path) {
  return programPath('LibreOffice', env, path);
}

/** Returns the command that renders a kustomization, without the folder's name. */
export function kustomizeCommand(path) {
  const program = findProgram(['kubectl', 'kustomize'], path);
  if (program === undefined)
    throw new SetupError('kubectl (1.24 or newer) is missing: https://kubernetes.io/docs/tasks/tools/');
  return [program, program.endsWith('kubectl') ? 'kustomize' : 'build'];
}

function programPath(name, env, path) {
  return locate(
    programs.find((program) => program.name === name),
    env,
    path,
  );
}

function locate(program, env, path) {
  const given = program.override === undefined ? undefined : env[program.override];
  if (given) return given;
  return findProgram(program.names, path) ?? program.places?.find((place) => existsSync(place));
}

/** Returns the missing programs of a command. Only `test-all` needs the other browsers. */
export function missingPrograms(env, path, command) {
  const forTests = !['start', 'dev'].includes(command);
  const forAllTests = command === 'test-all';
  return programs.filter(
    (program) =>
      (forTests || !program.forTests) &&
      (forAllTests || !program.forAllTests) &&
      locate(program, env, path) === undefined,
  );
}

/**
 * Plans the installation of the missing programs.
 *
 * @param {{ name: string, debian: string, brew?: string, docker?: boolean, optional?: boolean }[]} missing
 * @param {{ platform: string, isRoot: boolean, isDebian: boolean, isUbuntu: boolean, hasDocker: boolean }}
 * host
 * @returns {{ apt: string[], docker: string[], byHand: string[] }} Debian packages to install now, programs
 * that Docker replaces, and commands that the user has to run
 */
export function installPlan(missing, host) {
  const plan = { apt: [], docker: [], byHand: [] };
  const sudo = [];
  for (const program of missing) {
    // Ubuntu ships some as snaps, which run neither in containers nor for root, and some not at all.
    const debian = host.isDebian && (!host.isUbuntu || program.ubuntu === undefined);
    if (debian && host.isRoot) plan.apt.push(...program.debian.split(' '));
    else if (program.optional) continue;
    else if (program.docker && host.hasDocker) plan.docker.push(program.name);
    else if (debian) sudo.push(program.debian);
    else plan.byHand.push(byHand(program, host));
  }
  if (sudo.length > 0)
    plan.byHand.unshift(
      `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${sudo.join(' ')}`,
    );
  return plan;
}

function byHand(program, host) {
  const other = program.override === undefined ? '' : `, or set ${program.override}`;
  if (host.platform === 'darwin') return `brew install ${program.brew}`;
  if (host.isUbuntu && program.ubuntu !== undefined) return program.ubuntu;
  return `install ${program.name} (${program.names.join(' or ')} on the PATH)${other}`;
}

/** Returns the properties of this machine that `installPlan` needs. */
export async function lookAtHost(path) {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    isDebian:
      /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release) && findProgram(['apt-get'], path) !== undefined,
    isUbuntu: /^ID=.*ubuntu/m.test(release),
    hasDocker: await dockerAnswers(path),
  };
}

async function dockerAnswers(path) {
  const docker = findProgram(['docker'], path);
  if (docker === undefined) return false;
  try {
    await run(docker, ['info'], { timeoutMs: 5_000 });
    return true;
  } catch {
    return false; // a client without a daemon
  }
}

/** Installs Debian packages. Waits for another apt to finish. */
export async function installDebian(packages, log) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update'], { env, log });
  const options = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];
  await run('apt-get', ['install', ...options, ...packages], { env, log });
}

/** Returns the error that names all missing programs and how to install them. */
export function missingError(commands) {
  return new SetupError(
    `Something is missing that cannot be installed from here. Please run:\n\n  ${commands.join('\n  ')}\n`,
  );
}
