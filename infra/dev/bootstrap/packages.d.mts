interface PackageEntry {
  version?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
}
interface PackageList {
  packages: Record<string, PackageEntry>;
}
export function installReason(
  wanted: PackageList,
  installed: PackageList | undefined,
  versionOnDisk: (path: string) => string | undefined,
): string | undefined;
export function cloneInstallReason(root: string): string | undefined;
export function installPackages(root: string, log: string): Promise<void>;
export function ensureNode(root: string, log: string): Promise<string>;
