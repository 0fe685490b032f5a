/** What one LibreOffice is started with: a folder of its own, settings, and names that are safe on the disk. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * LibreOffice's settings for a profile of its own: macros never run, links are never updated, nothing is
 * fetched. Network is also off by namespace where the system allows it; this holds where it does not.
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

/** Where an office that works in this folder keeps its settings, as it is told by `-env:UserInstallation`. */
export const profileUrl = (dir: string): string => pathToFileURL(join(dir, 'profile')).href;

/** Makes the folders of one office below `dir`: its settings, what goes in and what comes out. */
export async function makeOfficeFolders(dir: string): Promise<void> {
  const user = join(dir, 'profile', 'user');
  await Promise.all(
    [join(dir, 'in'), join(dir, 'out'), user].map((path) => mkdir(path, { recursive: true })),
  );
  await writeFile(join(user, 'registrymodifications.xcu'), PROFILE);
}

/** The longest name of a file, in bytes, that file systems take, less what LibreOffice adds to it. */
const NAME_BYTES = 200;

/**
 * The user's name for a file as a name on the disk: no separators, nothing invisible, not too long. It is in a path
 * that begins with a folder of ours, so that it is never an option.
 */
export function safeName(name: string, kind: 'doc' | 'docx'): string {
  const plain = name.replace(/[\p{C}/\\]/gu, '_').trim();
  let short = plain;
  while (Buffer.byteLength(short) > NAME_BYTES) short = [...short].slice(0, -1).join('');
  if (short === '' || /^\.+$/.test(short)) return `document.${kind}`;
  return short === plain ? short : `${short}.${kind}`;
}
