/** A test process that is killed leaves no browser behind. */
import { processIdentity, waitGone } from '../machine/liveness.mjs';
import { killHard, launcher } from '../processes/launcher.ts';
import { procFile, treeOf } from '../processes/proc.ts';
import { scratch } from '../scratch.ts';

it.each([
  ['Firefox', 'firefox.ts', 'await (await launchFirefox()).browser.newPage();', ['-contentproc']],
  [
    'WebKit',
    'webkit.ts',
    `await (await launchWebKit({ width: 390, height: 844 })).goto('about:blank');`,
    ['WebKitWebProcess', 'WebKitNetworkProcess', 'MiniBrowser', 'Xvfb'],
  ],
])(
  'leaves no %s',
  async (name, file, open, wanted) => {
    const { dir, remove } = scratch();
    try {
      const parent = await launcher(
        dir,
        `const { launch${name} } = await src('servers/${file}');
       ${open}
       report(process.pid);`,
      );
      const below = treeOf(Number(parent.reported)).map((pid) => ({
        pid,
        command: procFile(`${pid}/cmdline`),
        identity: processIdentity(pid) ?? '',
      }));
      for (const part of wanted) expect(below.map(({ command }) => command).join('\n')).toContain(part);
      await killHard(parent.process);
      const left = await Promise.all(
        below.map(async ({ pid, identity, command }) =>
          (await waitGone(pid, identity, 20_000)) ? [] : command,
        ),
      );
      expect(left.flat()).toEqual([]);
    } finally {
      remove();
    }
  },
  120_000,
);
