import { installReason } from './packages.mjs';

const none = (): undefined => undefined;
const list = (packages: Record<string, object>): { packages: Record<string, object> } => ({ packages });

describe('installReason', () => {
  const wanted = list({
    '': {},
    'libs/ui': {},
    'node_modules/kysely': { version: '0.29.9', integrity: 'sha512-k' },
    'node_modules/@karaar/ui': { link: true },
    'node_modules/@img/sharp-win32-x64': { version: '1.0.0', integrity: 'sha512-w', optional: true },
  });
  const installed = list({
    'node_modules/kysely': { version: '0.29.9', integrity: 'sha512-k' },
    'node_modules/@karaar/ui': { link: true },
  });

  it('finds none when everything is installed; packages for other platforms may be missing', () => {
    expect(installReason(wanted, installed, none)).toBeUndefined();
  });

  it('reports that nothing is installed', () => {
    expect(installReason(wanted, undefined, none)).toBe('no packages are installed yet');
  });

  it('names a package that is new, has another version, or has the same version with other content', () => {
    const more = list({ ...wanted.packages, 'node_modules/a/node_modules/@x/b': { version: '1.0.0' } });
    expect(installReason(more, installed, none)).toBe('@x/b is new');
    const kysely = (entry: object): { packages: Record<string, object> } =>
      list({ ...installed.packages, 'node_modules/kysely': entry });
    expect(installReason(wanted, kysely({ version: '0.28.0', integrity: 'sha512-k' }), none)).toBe(
      'kysely has changed',
    );
    expect(installReason(wanted, kysely({ version: '0.29.9', integrity: 'sha512-x' }), none)).toBe(
      'kysely has changed',
    );
  });

  it("reads a workspace's own packages, which npm does not list, from the disk", () => {
    const nested = list({ ...wanted.packages, 'apps/shell/node_modules/webpack-cli': { version: '7.3.1' } });
    expect(installReason(nested, installed, none)).toBe('webpack-cli is new');
    expect(installReason(nested, installed, () => '7.3.1')).toBeUndefined();
  });
});
