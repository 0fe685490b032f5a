/** The folder, the settings and the safe file names of one LibreOffice. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Macros never run, links are never updated, nothing is fetched. The network is also blocked by a namespace
 * if the system allows it; these settings apply if it does not.
 */
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${[
  ['org.openoffice.Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['org.openoffice.Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['org.openoffice.Office.Common/Security/Scripting', 'DisableActiveContent', 'true'],
  ['org.openoffice.Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['org.openoffice.Office.Common/Security/Scripting', 'DisablePythonRuntime', 'true'],
  ['org.openoffice.Office.Writer/Content/Update', 'Link', '0'],
  ['org.openoffice.Office.Common/Misc', 'FirstRun', 'false'],
  ['org.openoffice.Inet/Settings', 'ooInetProxyType', '1'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPProxyPort', '9'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPSProxyPort', '9'],
]
  .map(
    ([path, name, value]) =>
      `<item oor:path="/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  .join('\n')}
</oor:items>
`;

/** Returns the profile of an office in this folder, for `-env:UserInstallation`. */
export const profileUrl = (dir: string): string => pathToFileURL(join(dir, 'profile')).href;

/** Creates the folders of one office in `dir`: settings, input and output. */
export async function makeOfficeFolders(dir: string): Promise<void> {
  const user = join(dir, 'profile', 'user');
  await Promise.all(
    [join(dir, 'in'), join(dir, 'out'), user].map((path) => mkdir(path, { recursive: true })),
  );
  await writeFile(join(user, 'registrymodifications.xcu'), PROFILE);
}

/** The longest file name in bytes that file systems accept, minus the part that LibreOffice adds. */
const NAME_BYTES = 200;

/**
 * Returns the user's file name as a safe name on the disk: no separators, nothing invisible, not too long.
 * Its path begins with our folder, so it is never read as an option.
 */
export function safeName(name: string, kind: 'doc' | 'docx'): string {
  const plain = name.replace(/[\p{C}/\\]/gu, '_').trim();
  let short = plain;
  while (Buffer.byteLength(short) > NAME_BYTES) short = [...short].slice(0, -1).join('');
  if (short === '' || /^\.+$/.test(short)) return `document.${kind}`;
  return short === plain ? short : `${short}.${kind}`;
}
